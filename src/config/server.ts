import { availableParallelism } from 'node:os';
import { bytesIn } from './bytes-in.ts';
import type { EnvReader } from './env-reader.ts';
import type { Tuning } from './tuning.ts';

/**
 * PostgreSQL, the container engine and the threads for passwords and screens use a second core without help. A process more is of
 * use from the third core on (bench/README.md). `PROCESS_URL` is the address of one process.
 */
const processesOf = (cores: number, env: EnvReader): number =>
  env.given('PROCESS_URL') === undefined && process.platform === 'linux' ? Math.max(1, cores - 1) : 1;

/** The HTTP server, its limits, and the processes that share its address. */
export function readServer(env: EnvReader, tuning: Tuning) {
  env.part = 'Server';
  const server = {
    host: env.text('HOST', '127.0.0.1', { about: 'address to listen at; `0.0.0.0`: all of this machine' }),
    port: env.integer('PORT', 8000, { min: 0, max: 65535, about: 'port to listen at; 0: a free one' }),
    /** Processes that serve requests at this address. */
    processes:
      env.integerOrAuto('PROCESSES', {
        min: 1,
        max: 64,
        about:
          'processes that serve requests at `HOST:PORT`. `auto`: one less than the cores, at least one; one if `PROCESS_URL` is set or the system is not Linux. Limits of one process are [divided](operating.md#several-processes) among them',
      }) ?? processesOf(availableParallelism(), env),
    /** The address at which other processes of the service reach this one; undefined: its own address. */
    processUrl: env.origin('PROCESS_URL', {
      usually: 'its own address',
      about:
        'address at which other processes of the service reach this one, such as `http://10.0.0.5:8000`; needed only with [several processes](operating.md#several-processes)',
    }),
    /** Where people reach the service; undefined: the address of each request. */
    publicUrl: env.origin('PUBLIC_URL', {
      usually: 'that of each request',
      about: 'address at which people reach the service, such as `https://school.example.com`; certificates name it',
    }),
    logLevel: env.oneOf('LOG_LEVEL', 'info', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      about: 'least important entries that are logged',
    }),
    /** Token for `/metrics`; undefined: only requests from the same machine. */
    metricsToken: env.secret('METRICS_TOKEN', {
      minBytes: 16,
      about: 'bearer token for `/metrics`; without it only requests from the same machine are allowed',
    }),
    corsOrigins: env.origins('CORS_ORIGINS', {
      about: 'of pages that may call the API, such as `https://school.example.com`; wildcards are not supported',
    }),
    /** True if a reverse proxy in front of the service sets `X-Forwarded-For` and `X-Forwarded-Proto`. */
    isBehindProxy: env.flag('TRUST_PROXY', false, {
      about: 'whether a reverse proxy in front sets `X-Forwarded-For` and `X-Forwarded-Proto`',
    }),
    bodyLimit: tuning.maxBodyBytes,
    /** Bytes of request bodies in memory at once. */
    bodies: {
      perClient: bytesIn.mib * tuning.maxBodiesPerClientMb,
      all: bytesIn.mib * tuning.maxBodiesMb,
    },
    requestTimeout: 1000 * tuning.requestTimeoutSeconds,
    maxConnections: tuning.maxConnections,
    maxConnectionsPerAddress: tuning.maxConnectionsPerAddress,
    rateLimit: {
      max: env.integer('REQUESTS_PER_MINUTE', 6000, {
        min: 1,
        about:
          'requests, whatever their answer, of one user, or of one address (IPv6: one /64 network) without a token',
      }),
    },
    maxEventLoopDelay: tuning.maxEventLoopDelayMs,
    reconcileInterval: 1000 * tuning.reconcileSeconds,
    stopTimeout:
      1000 *
      env.integer('STOP_TIMEOUT_SECONDS', 20, {
        min: 1,
        max: 600,
        about: 'time to finish running work on shutdown',
      }),
    /** Milliseconds before that in which requests are served, but the service is not ready and opens no terminals. */
    stopDelay:
      1000 *
      env.integer('STOP_DELAY_SECONDS', 0, {
        min: 0,
        max: 600,
        about:
          'time before that, in which requests are still served and `/readyz` is 503, see [operating](operating.md#shutdown-and-failures)',
      }),
  };
  const { processes, processUrl } = server;
  if (processes > 1 && process.platform !== 'linux')
    env.problems.push('PROCESSES takes 1 on this system: only on Linux can several processes listen at one address');
  if (processes > 1 && processUrl !== undefined)
    env.problems.push('PROCESS_URL is the address of one process: it takes PROCESSES=1');
  return server;
}
