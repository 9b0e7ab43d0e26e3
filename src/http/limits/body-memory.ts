import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError, UnavailableError } from '../../errors.ts';
import { clientOf } from './request-counts.ts';

export type BodyMemory = {
  /** Maximum bytes of pending bodies of one user, or of one address without a token. */
  perClient: number;
  /** Maximum bytes of all pending bodies. */
  all: number;
};

/**
 * Limits the memory for request bodies. A body counts from its first byte until the answer, including the time its request is
 * queued. A body without a length counts as the largest one that its route accepts. Beyond the client's share the answer is 429, beyond the
 * total 503, before anything is read. A single body is always accepted.
 */
export function limitBodies(app: FastifyInstance, room: BodyMemory): void {
  const held = new Map<string, number>();
  let total = 0;
  app.addHook('preParsing', (request, reply, payload, done) => {
    const length = lengthOf(request);
    if (length === 0) return done(null, payload);
    const { bodyLimit } = request.routeOptions;
    const bytes = Math.min(length ?? bodyLimit, bodyLimit);
    const client = clientOf(request);
    const own = held.get(client) ?? 0;
    if (own + bytes > Math.max(room.perClient, bytes))
      return done(new ServiceError(429, 'too_many_requests', 'Too many large requests at once', { retryAfter: 1 }));
    if (total + bytes > Math.max(room.all, bytes))
      return done(new UnavailableError('overloaded', 'Too many large requests at once', { retryAfter: 1 }));
    held.set(client, own + bytes);
    total += bytes;
    reply.raw.once('close', () => {
      total -= bytes;
      const left = (held.get(client) ?? 0) - bytes;
      if (left > 0) held.set(client, left);
      else held.delete(client);
    });
    done(null, payload);
  });
}

/** The length of a request's body in bytes; undefined for a chunked body, whose length is unknown. */
function lengthOf({ headers }: FastifyRequest): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined;
  return Number(headers['content-length'] ?? 0);
}
