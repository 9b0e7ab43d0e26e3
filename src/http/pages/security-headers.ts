import type { OutgoingHttpHeaders } from 'node:http';
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/**
 * Adds the security headers of Helmet to every answer. They are the same for all requests, so Helmet composes them once, not for each
 * request. A route can replace one of them.
 */
export async function installSecurityHeaders(app: FastifyInstance, options: FastifyHelmetOptions): Promise<void> {
  await app.register(helmet, { ...options, global: false });
  let headers: OutgoingHttpHeaders | undefined;
  app.addHook('onRequest', (_request, reply, done) => {
    headers ??= compose(() => reply.helmet(), reply.raw);
    reply.headers(headers);
    done();
  });
}

/** The headers that a function sets. */
function compose(
  set: () => unknown,
  response: { getHeaders: () => OutgoingHttpHeaders; removeHeader: (name: string) => void },
): OutgoingHttpHeaders {
  const before = new Set(Object.keys(response.getHeaders()));
  set();
  const headers = Object.entries(response.getHeaders()).filter(([name]) => !before.has(name));
  for (const [name] of headers) response.removeHeader(name);
  return Object.fromEntries(headers);
}
