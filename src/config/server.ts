import { availableParallelism } from 'node:os';
import { bytesIn } from './bytes-in.ts';
import type { EnvReader } from './env-reader.ts';
import type { Tuning } from './tuning.ts';

/**
 * PostgreSQL, the container engine and the threads for passwords and screens use a second core without help. A process more is of
 * use from the third core on (bench/README.md). `PROCESS_URL` is the address of one process.
 */
const processesOf = (cores: number, env: EnvReader): number =>
  env.optional('PROCESS_URL') === undefined && process.platform === 'linux' ? Math.max(1, cores - 1) : 1;

/** The HTTP server, its limits, and the processes that share its address. */
export function readServer(env: EnvReader, tuning: Tuning) {
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
    bodyLimit: tuning.maxBodyBytes,
    /** Bytes of request bodies in memory at once. */
    bodies: {
      perClient: bytesIn.mib * tuning.maxBodiesPerClientMb,
      all: bytesIn.mib * tuning.maxBodiesMb,
    },
    requestTimeout: 1000 * tuning.requestTimeoutSeconds,
    maxConnections: tuning.maxConnections,
    maxConnectionsPerAddress: tuning.maxConnectionsPerAddress,
    rateLimit: { max: env.integer('REQUESTS_PER_MINUTE', 6000, { min: 1 }) },
    maxEventLoopDelay: tuning.maxEventLoopDelayMs,
    reconcileInterval: 1000 * tuning.reconcileSeconds,
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
