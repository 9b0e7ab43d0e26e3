import { sql } from 'kysely';
import { type Logger, pino } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Config } from './config.ts';
import { ChangeFeed } from './database/change-feed.ts';
import { connectDatabase, type DatabaseAddress, newClient } from './database/connect.ts';
import { Passwords } from './features/auth/passwords.ts';
import { authRoutes } from './features/auth/routes.ts';
import { AuthService } from './features/auth/service.ts';
import { UserStore } from './features/auth/store.ts';
import { LoginThrottle } from './features/auth/throttle.ts';
import { Tokens } from './features/auth/tokens.ts';
import { systemRoutes } from './features/system/routes.ts';
import { installRequestMetrics } from './http/request-log.ts';
import { readOrCreateSecretKey } from './secret-key.ts';
import { buildServer } from './server.ts';

/** What the outside gives: where the database is. Tests replace parts of it to make failures happen. */
export type Outside = {
  database: DatabaseAddress;
  log?: Logger;
};

export type Application = Awaited<ReturnType<typeof compose>>;

export function createLog(config: Config): Logger {
  return pino({ level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}

/** Builds the service from its parts. The database is migrated already. Nothing listens until `listen`. */
export async function compose(config: Config, outside: Outside) {
  await using cleanup = new AsyncDisposableStack();
  const log = outside.log ?? createLog(config);

  const { db, pool } = connectDatabase({
    address: outside.database,
    ...config.database,
    onError: (error) => log.warn({ err: error }, 'an idle database connection was lost'),
  });
  cleanup.defer(() => db.destroy());
  const feed = cleanup.use(
    new ChangeFeed({
      newClient: () => newClient(outside.database),
      onError: (error) => log.warn({ err: error }, 'listening for changes was interrupted'),
    }),
  );

  const secretKey = config.secretKey ?? (await readOrCreateSecretKey(config.dataDir));
  const users = new UserStore(db);
  const auth = new AuthService({
    users,
    feed,
    tokens: new Tokens(secretKey),
    passwords: new Passwords(config.passwords),
    throttle: new LoginThrottle(db, config.logins),
  });

  const registry = new Registry();
  collectDefaultMetrics({ register: registry });

  const app = await buildServer({
    config,
    log,
    authenticate: (token) => auth.authenticate(token),
    routes: [
      authRoutes(auth),
      systemRoutes({
        registry,
        metricsToken: config.metricsToken,
        checkDatabase: async () => void (await sql`select 1`.execute(db)),
        engineProblem: () => undefined,
      }),
    ],
  });
  installRequestMetrics(app, registry);
  cleanup.defer(() => app.close());

  await feed.start();
  const owned = cleanup.move();
  return {
    app,
    auth,
    db,
    pool,
    log,
    /** Starts to listen. @returns the address, such as `http://127.0.0.1:8000` */
    listen: async (): Promise<string> => await app.listen({ host: config.host, port: config.port }),
    [Symbol.asyncDispose]: async (): Promise<void> => await owned.disposeAsync(),
  };
}
