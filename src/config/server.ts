import { availableParallelism } from 'node:os';
import { bytesIn } from './bytes-in.ts';
import type { EnvReader } from './env-reader.ts';

/**
 * PostgreSQL, the container engine and the threads for passwords and screens use a second core without help. A process more is of
 * use from the third core on (bench/README.md). `PROCESS_URL` is the address of one process.
 */
const processesOf = (cores: number, env: EnvReader): number =>
  env.optional('PROCESS_URL') === undefined && process.platform === 'linux' ? Math.max(1, cores - 1) : 1;

/** The HTTP server, its limits, and the processes that share its address. */
export function readServer(env: EnvReader) {
  const server = {
    host: env.text('HOST', '127.0.0.1'),
    port: env.integer('PORT', 8000, { min: 0, max: 65535 }),
    /** Processes that serve requests at this address. */
    processes: env.integerOrAuto('PROCESSES', { min: 1, max: 64 }) ?? processesOf(availableParallelism(), env),
    /** The address at which other processes of the service reach this one; undefined: its own address. */
    processUrl: env.origin('PROCESS_URL'),
    logLevel: env.oneOf('LOG_LEVEL', 'info', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    /** Token for `/metrics`; undefined: only requests from the same machine. */
    metricsToken: env.secret('METRICS_TOKEN', { minBytes: 16 }),
    corsOrigins: env.origins('CORS_ORIGINS'),
    /** True if a reverse proxy in front of the service sets `X-Forwarded-For` and `X-Forwarded-Proto`. */
    isBehindProxy: env.flag('TRUST_PROXY', false),
    bodyLimit: env.integer('BODY_LIMIT_BYTES', bytesIn.mib, { min: 1024, max: 64 * bytesIn.mib }),
    /** Bytes of request bodies in memory at once. */
    bodies: {
      perClient: bytesIn.mib * env.integer('BODIES_PER_CLIENT_MB', 16, { min: 1, max: 65_536 }),
      all: bytesIn.mib * env.integer('BODIES_MAX_MB', 256, { min: 1, max: 65_536 }),
    },
    requestTimeout: 1000 * env.integer('REQUEST_TIMEOUT_SECONDS', 30, { min: 1, max: 600 }),
    /** Maximum open connections; a further one is closed before anything is read from it. */
    maxConnections: env.integer('CONNECTIONS_MAX', 10_000, { min: 10, max: 1_000_000 }),
    /** Maximum connections of one address. Not enforced behind a proxy, because all connections have its address. */
    maxConnectionsPerAddress: env.integer('CONNECTIONS_PER_ADDRESS', 5000, { min: 5, max: 1_000_000 }),
    rateLimit: { max: env.integer('REQUESTS_PER_MINUTE', 6000, { min: 1 }) },
    /** Event loop lag in milliseconds above which requests are answered with 503; 0: never. */
    maxEventLoopDelay: env.integer('EVENT_LOOP_DELAY_MS', 3000, { min: 0, max: 600_000 }),
    /** Milliseconds between two runs of the cleanup after crashes and failures. */
    reconcileInterval: 1000 * env.integer('RECONCILE_SECONDS', 30, { min: 1, max: 3600 }),
    stopTimeout: 1000 * env.integer('STOP_TIMEOUT_SECONDS', 20, { min: 1, max: 600 }),
    /** Milliseconds before that in which requests are served, but the service is not ready and opens no terminals. */
    stopDelay: 1000 * env.integer('STOP_DELAY_SECONDS', 0, { min: 0, max: 600 }),
  };
  const { processes, processUrl } = server;
  if (processes > 1 && process.platform !== 'linux')
    env.problems.push('PROCESSES takes 1 on this system: only on Linux can several processes listen at one address');
  if (processes > 1 && processUrl !== undefined)
    env.problems.push('PROCESS_URL is the address of one process: it takes PROCESSES=1');
  return server;
}
