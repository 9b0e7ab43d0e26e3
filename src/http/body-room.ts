import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError, Unavailable } from '../errors.ts';
import { networkOf } from './connections-per-address.ts';

export type BodyRoom = {
  /** Maximum bytes of pending bodies of one user, or of one address without a token. */
  perClient: number;
  /** Maximum bytes of all pending bodies. */
  all: number;
  /** Maximum body size of any route; assumed for a body without a length. */
  largest: number;
};

/**
 * Limits the memory for request bodies. A body counts from its first byte until the answer, including the time its request is
 * queued. Beyond the client's share the answer is 429, beyond the total 503, before anything is read.
 */
export function limitBodies(app: FastifyInstance, room: BodyRoom): void {
  const held = new Map<string, number>();
  let total = 0;
  app.addHook('preParsing', (request, reply, payload, done) => {
    const bytes = Math.min(lengthOf(request) ?? room.largest, room.largest);
    if (bytes === 0) return done(null, payload);
    const client = request.user ? `user:${request.user.id}` : networkOf(request.ip);
    const own = held.get(client) ?? 0;
    if (own + bytes > Math.max(room.perClient, room.largest))
      return done(new ServiceError(429, 'too_many_requests', 'Too many large requests at once', { retryAfter: 1 }));
    if (total + bytes > Math.max(room.all, room.largest))
      return done(new Unavailable('overloaded', 'Too many large requests at once', { retryAfter: 1 }));
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
