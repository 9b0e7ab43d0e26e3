import { fileURLToPath } from 'node:url';
import { type Logger, pino } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { composeAccounts } from './compose/accounts.ts';
import { composeAttempts } from './compose/attempts.ts';
import { composeChores } from './compose/chores.ts';
import { composeContainers } from './compose/containers.ts';
import { composeDatabase } from './compose/database.ts';
import { composeLessons } from './compose/lessons.ts';
import type { Overrides, Surroundings } from './compose/parts.ts';
import { composeProfiles } from './compose/profiles.ts';
import { composeRoutes } from './compose/routes.ts';
import { composeTerminals } from './compose/terminals.ts';
import type { Config } from './config.ts';
import { keyedHash } from './database/keyed-hash.ts';
import { installCursors } from './http/cursors.ts';
import { ownUrl } from './http/own-url.ts';
import { RequestCounts } from './http/request-counts.ts';
import { installRequestMetrics } from './http/request-log.ts';
import { buildServer } from './server.ts';

export type Application = Awaited<ReturnType<typeof compose>>;

export function createLog(config: Config): Logger {
  return pino({ level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}

/** Builds the service from its parts. The database is migrated already. Nothing listens until `listen`. */
export async function compose(config: Config, overrides: Overrides) {
  await using cleanup = new AsyncDisposableStack();
  const log = overrides.log ?? createLog(config);
  const surroundings: Surroundings = { config, overrides, log, cleanup };

  const database = await composeDatabase(surroundings);
  const { db, feed, peers, agreement, work } = database;
  const accounts = await composeAccounts(surroundings, database);
  const lessons = composeLessons(surroundings, database);
  const containers = await composeContainers(surroundings, database);
  const attempts = composeAttempts(surroundings, database, containers);
  const processUrl = () => config.processUrl ?? ownUrl(app, config.host);
  const terminals = composeTerminals(surroundings, database, accounts, containers, processUrl);
  const profiles = composeProfiles(surroundings, database, accounts, containers, terminals);
  const parts = { ...database, ...accounts, ...lessons, ...containers, ...attempts, ...terminals, ...profiles };

  const requestCounts = new RequestCounts({
    max: config.rateLimit.max,
    tell: (text) => peers.tell('requests', text),
  });
  peers.hear('requests', (text) => requestCounts.hear(text));
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const app = await buildServer({
    config,
    log,
    authenticate: (token) => parts.auth.authenticate(token),
    requestCounts,
    agreement: () => agreement.reached(),
    pages: fileURLToPath(new URL('../web/dist', import.meta.url)),
    prepare: (server) => {
      installRequestMetrics(server, registry);
      installCursors(server, keyedHash(parts.secretKey));
    },
    routes: composeRoutes({ ...parts, config, registry }),
  });
  cleanup.defer(() => app.close());
  // Before the server waits for its requests: hundreds of logins can wait for their turns, and a trial can take minutes.
  cleanup.use(parts.passwords);
  cleanup.use(parts.trials);
  // Before the server closes its sockets, so that clients learn why.
  cleanup.use(parts.terminals);

  await feed.start();
  const owned = cleanup.move();
  const { auth, profiles: profileService, reconciler, deadlines } = parts;
  return {
    app,
    auth,
    db,
    log,
    profiles: profileService,
    reconciler,
    /** Starts the work behind the requests, then listens. @returns the address, such as `http://127.0.0.1:8000` */
    listen: async (): Promise<string> => {
      owned.use(work);
      await work.begin({
        expire: (id) => deadlines.expire(id),
        concurrency: config.grading.concurrency,
        chores: composeChores({ ...surroundings, ...parts }),
      });
      lessons.source.open().catch((error: unknown) => log.warn({ err: error }, 'the lessons are not available yet'));
      return await app.listen({ host: config.host, port: config.port });
    },
    [Symbol.asyncDispose]: async (): Promise<void> => await owned.disposeAsync(),
  };
}
