import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { Histogram, type Registry } from 'prom-client';

/** Maximum length of a path segment in the log; a longer one is not ours and could be a token. */
const longestPart = 64;

/** The path for the log: without the query string and without long segments. */
const loggedPath = (url: string): string =>
  (url.split('?', 1)[0] ?? '')
    .split('/')
    .map((part) => (part.length > longestPart ? '…' : part))
    .join('/');

/** Fastify's type of a log leaves out what pino's has. */
const isLogged = (log: FastifyBaseLogger, level: string): boolean =>
  (log as { isLevelEnabled?: (level: string) => boolean }).isLevelEnabled?.(level) ?? true;

/** Logs one line per request, with the path but never the query string, the body or a header. */
export function installRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const level = reply.statusCode >= 500 ? 'warn' : 'debug';
    // Most services do not log requests that succeed.
    if (!isLogged(request.log, level)) return done();
    request.log[level](
      {
        method: request.method,
        path: loggedPath(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        user_id: request.user?.id,
      },
      'request',
    );
    done();
  });
}

/** Counts and times requests by route pattern, so that labels never contain client input. */
export function installRequestMetrics(app: FastifyInstance, registry: Registry): void {
  const histogram = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: String(reply.statusCode),
    };
    histogram.observe(labels, reply.elapsedTime / 1000);
    done();
  });
}
