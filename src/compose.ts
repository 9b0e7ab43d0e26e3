import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Logger, pino } from 'pino';
import { AggregatorRegistry, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Load } from '../packages/limits/concurrency-limiter.ts';
import { composeAccounts } from './compose/accounts.ts';
import { composeAttempts } from './compose/attempts.ts';
import { composeChores } from './compose/chores.ts';
import { composeClasses } from './compose/classes.ts';
import { composeContainers } from './compose/containers.ts';
import { composeCourseStaff } from './compose/course-staff.ts';
import { composeDatabase } from './compose/database.ts';
import { composeExamSessions } from './compose/exam-sessions.ts';
import { composeIdentityProviders } from './compose/identity-providers.ts';
import { composeLessons } from './compose/lessons.ts';
import { composeLti } from './compose/lti.ts';
import { composeNotifications } from './compose/notifications.ts';
import type { Overrides, Surroundings } from './compose/parts.ts';
import { composeProfiles } from './compose/profiles.ts';
import { composeRoutes } from './compose/routes.ts';
import { composeSearch } from './compose/search.ts';
import { createObjectStore } from './compose/storage.ts';
import { composeTerminals } from './compose/terminals.ts';
import { composeWebhooks } from './compose/webhooks.ts';
import type { Config } from './config.ts';
import { keyedHash } from './database/keyed-hash.ts';
import type { InstallationStore } from './features/capacity/installation-store.ts';
import type { Providers } from './features/identity-providers/providers.ts';
import type { SiteService } from './features/site/service.ts';
import { relayHeader } from './features/terminal/relays/passes.ts';
import { listenForRelays, ownUrl } from './http/access/relay-listener.ts';
import { RequestCounts } from './http/limits/request-counts.ts';
import { installCursors } from './http/lists/cursors.ts';
import type { DocumentLook } from './http/pages/document-look.ts';
import { installRequestMetrics } from './http/protocol/request-log.ts';
import type { ContainerEngine } from './ports/container-engine.ts';
import { buildServer } from './server.ts';

export type Application = Awaited<ReturnType<typeof compose>>;

/** @param number of this process among several, which each line then names */
export function createLog(config: Config, number?: number): Logger {
  const base = number === undefined ? null : { process: number, pid: process.pid };
  return pino({ level: config.logLevel, base, timestamp: pino.stdTimeFunctions.isoTime });
}

/** Builds the service from its parts. The database is migrated already. Nothing listens until `listen`. */
export async function compose(config: Config, overrides: Overrides) {
  await using cleanup = new AsyncDisposableStack();
  const { siblings } = overrides;
  const log = overrides.log ?? createLog(config, siblings?.number);
  const objects = createObjectStore(config, log);
  const surroundings: Surroundings = { config, overrides, log, objects, cleanup };

  const database = await composeDatabase(surroundings);
  const { db, feed, peers, agreement, work } = database;
  const accounts = await composeAccounts(surroundings, database);
  const { identityProviders, accounts: providerAccounts } = composeIdentityProviders(surroundings, accounts);
  const webhooks = composeWebhooks(surroundings, database, accounts.secretKey);
  const classes = composeClasses(surroundings, database, accounts);
  const lti = composeLti(surroundings, database, accounts, { accounts: providerAccounts, classes: classes.classes });
  const courseStaff = composeCourseStaff(database);
  const notifications = composeNotifications(surroundings, database);
  const lessons = composeLessons(surroundings, database, accounts, classes);
  const search = composeSearch(surroundings, database, lessons);
  const containers = await composeContainers(surroundings, database, accounts, courseStaff.grants);
  const attempts = composeAttempts(surroundings, database, accounts, classes, lessons, containers);
  let door: Server | undefined;
  const processUrl = () =>
    config.processUrl ?? (door && siblings ? ownUrl(door, siblings.relayHost) : ownUrl(app.server, config.host));
  const terminals = composeTerminals(surroundings, database, accounts, containers, processUrl);
  const examSessions = composeExamSessions(
    surroundings,
    database,
    accounts,
    containers,
    classes,
    attempts,
    terminals,
    lessons,
  );
  const profiles = composeProfiles(surroundings, database, accounts, containers, terminals);
  const parts = {
    ...database,
    ...accounts,
    identityProviders,
    lti,
    webhooks,
    ...classes,
    ...courseStaff,
    ...notifications,
    ...lessons,
    ...search,
    ...containers,
    ...attempts,
    ...examSessions,
    ...terminals,
    ...profiles,
  };

  const requestCounts = new RequestCounts({
    max: config.rateLimit.max,
    broadcast: (text) => peers.publish('requests', text),
  });
  peers.subscribe('requests', (text) => requestCounts.receive(text));
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  installGauges(registry, parts);
  const readMetrics = async (): Promise<string> =>
    await (siblings ? AggregatorRegistry.aggregate(await siblings.allMetrics()) : registry).metrics();
  let isListening = false;
  let isStopping = false;
  const app = await buildServer({
    config,
    log,
    authenticate: (token) => parts.auth.authenticate(token),
    doorkeeper: parts.doorkeeper,
    requestCounts,
    onNetworkLimit: parts.onNetworkLimit,
    agreement: () => agreement.reached(),
    pages: fileURLToPath(new URL('../web/dist', import.meta.url)),
    documentLook: await documentLookOf(parts),
    prepare: (server) => {
      installRequestMetrics(server, registry);
      installCursors(server, keyedHash(parts.secretKey));
    },
    routes: composeRoutes({
      ...{ ...parts, config, isStopping: () => isStopping },
      metrics: { contentType: registry.contentType, read: readMetrics },
    }),
  });
  cleanup.defer(() => app.close());
  // Before the server waits for its requests: hundreds of logins can wait for their turns, and a trial can take minutes.
  cleanup.use(parts.userImports);
  cleanup.use(parts.passwords);
  cleanup.use(parts.trials);
  // Before the server closes its sockets, so that clients learn why.
  cleanup.use(parts.terminals);

  await feed.start();
  const owned = cleanup.move();
  const { auth, loginCookies, profiles: profileService, reconciler, breaks, deadlines } = parts;
  return {
    app,
    auth,
    loginCookies,
    db,
    engine: parts.engine,
    shell: parts.shell,
    log,
    mail: parts.mail,
    webhooks: parts.webhooks,
    pushes: parts.pushes,
    lti,
    deletions: parts.deletions,
    images: parts.images,
    evidence: parts.evidence,
    regrades: parts.regrades,
    retention: parts.retention,
    profiles: profileService,
    reconciler,
    silentChecks: parts.silentChecks,
    registry,
    /** Starts the work behind the requests, then listens. @returns the address, such as `http://127.0.0.1:8000` */
    listen: async (): Promise<string> => {
      owned.use(work);
      await work.begin({
        expire: async (id) => {
          await breaks.endOver(id);
          await deadlines.expire(id);
        },
        concurrency: config.grading.concurrency,
        sendMails: parts.mail.isOn ? () => parts.mail.sendDue() : undefined,
        chores: composeChores({ ...surroundings, ...parts }),
      });
      // Before the work, whose chore waits for the end of a round.
      owned.use(parts.silentChecks);
      lessons.main.open().catch((error: unknown) => log.warn({ err: error }, 'the lessons are not available yet'));
      if (siblings) {
        const { relayHost: host } = siblings;
        door = await listenForRelays(app, { host, header: relayHeader, maxConnections: 2 * config.terminal.max });
        owned.defer(() => void door?.close());
      }
      // Each of several processes has a queue of its own at the address. The kernel distributes connections among them.
      const shared = siblings ? { reusePort: true } : {};
      const address = await app.listen({ host: config.host, port: config.port, ...shared });
      isListening = true;
      return address;
    },
    /** First only reports that it stops, so that nothing new is sent here. Then it ends what it holds. */
    [Symbol.asyncDispose]: async (): Promise<void> => {
      if (!isStopping && isListening) {
        isStopping = true;
        parts.terminals.stopAccepting();
        await delay(config.stopDelay);
      }
      await owned.disposeAsync();
    },
  };
}

/** What the document of the pages says of this installation, now and after each change. */
async function documentLookOf({
  site,
  installation,
  providers,
}: {
  site: Pick<SiteService, 'lastKnown'>;
  installation: Pick<InstallationStore, 'isDemonstration'>;
  providers: Pick<Providers, 'lastKnown'>;
}): Promise<() => Promise<DocumentLook>> {
  const isDemonstration = await installation.isDemonstration();
  const look = async (): Promise<DocumentLook> => {
    const {
      name,
      logo_url: logo,
      welcome,
      colors,
      has_public_courses: hasFrontPage,
      has_mail: hasMail,
      has_passkeys: hasPasskeys,
    } = await site.lastKnown();
    const hasProviders = (await providers.lastKnown()).length > 0;
    return { isDemonstration, hasFrontPage, hasProviders, hasMail, hasPasskeys, name, logo, welcome, colors };
  };
  await look();
  return look;
}

type Measured = {
  engine: Pick<ContainerEngine, 'problem'>;
  terminals: { readonly openTerminals: number };
  provisioner: { load(): Load };
  gradingTurns: { load(): Load };
  pool: { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number };
};

/** The state of this process at the time of a request for its metrics. */
function installGauges(registry: Registry, { engine, terminals, provisioner, gradingTurns, pool }: Measured): void {
  const gauge = (name: string, help: string, read: () => number, aggregator: 'sum' | 'min' = 'sum') => {
    const collect = (): void => one.set(read());
    const one: Gauge = new Gauge({ name, help, aggregator, registers: [registry], collect });
  };
  gauge('terminals_open', 'Open shells, including those whose client may come back.', () => terminals.openTerminals);
  const isAvailable = () => (engine.problem() === undefined ? 1 : 0);
  gauge('container_engine_available', '1 while the container engine answers, otherwise 0.', isAvailable, 'min');
  gauge('container_starts_running', 'Containers that are being started.', () => provisioner.load().running);
  gauge('container_starts_waiting', 'Container starts in the queue.', () => provisioner.load().waiting);
  gauge('gradings_running', 'Gradings in progress.', () => gradingTurns.load().running);
  gauge('gradings_waiting', 'Gradings in the queue.', () => gradingTurns.load().waiting);
  gauge('database_connections_open', 'Connections to PostgreSQL.', () => pool.totalCount);
  gauge('database_connections_in_use', 'Of those, in use.', () => pool.totalCount - pool.idleCount);
  gauge('database_requests_waiting', 'Queries that wait for a connection.', () => pool.waitingCount);
}
