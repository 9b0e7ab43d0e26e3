import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError, Unavailable } from '../errors.ts';
import { networkOf } from './connections-per-address.ts';

export type BodyRoom = {
  /** Bytes of bodies that one user, or one address without a token, may have under way. */
  perClient: number;
  /** Bytes of all bodies that may be under way. */
  all: number;
  /** Bytes of the largest body that any route reads: what a body without a length is taken for. */
  largest: number;
};

/**
 * Bounds the memory that bodies take, from their first byte to the answer: a body is held while it comes, and while its request waits
 * for its turn. Beyond a client's share it is told 429, beyond that of all 503, before anything is read.
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

/** Bytes of a request's body; undefined where it comes in chunks, without saying how many there are. */
function lengthOf({ headers }: FastifyRequest): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined;
  return Number(headers['content-length'] ?? 0);
}
