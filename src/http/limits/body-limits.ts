import { setImmediate, setTimeout } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ConcurrencyLimiter } from '../../../packages/limits/concurrency-limiter.ts';
import { overloaded, ServiceError, UnavailableError } from '../../errors.ts';
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

/** Characters of a body that is read at once. Larger ones can have thousands of wrong values, which take milliseconds. */
export const maxReadAtOnce = 16_384;
/** Larger bodies that wait at most: a second or two. */
const maxWaiting = 100;
/** Characters that the process receives and decodes in a millisecond, at least. */
const receivedInMs = 1_000_000;
/** How many times as long as a body took the next one waits, so that others find the process idle four times out of five. */
const restFactor = 4;

/**
 * Reads large bodies one after another, and gives the process to others in between: each takes milliseconds. Clients take turns.
 * @returns what calls `read` in its turn; it rejects with UnavailableError where too many bodies wait
 */
export function bodiesInTurn(): (request: FastifyRequest, body: string, read: () => void) => Promise<void> {
  const turns = new ConcurrencyLimiter({ concurrency: 1, maxWaiting }, overloaded('Too many large requests at once'));
  const turn = async (body: string, read: () => void): Promise<void> => {
    await setImmediate();
    const begin = performance.now();
    read();
    // The body is validated meanwhile.
    await setImmediate();
    await setTimeout(restFactor * (performance.now() - begin + body.length / receivedInMs));
  };
  return (request, body, read) => turns.run(() => turn(body, read), { client: clientOf(request) });
}

/** Bytes that every route takes: a value that is somewhat too long gets a reason (422), not only a size (413). */
const least = 65_536;
/** Bytes of a character of JSON at most: two escapes, such as `\ud83d\ude00`. */
const perCharacter = 12;
/** Bytes of a number, a boolean, a date or null, and of what is around a value. */
const perValue = 64;

type Schema = {
  type?: string;
  format?: string;
  maxLength?: number;
  maxItems?: number;
  enum?: unknown[];
  const?: unknown;
  items?: Schema;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  'x-bytes'?: boolean;
};

/**
 * Limits the body of each route to what its fields can need, at most `bodyLimit`: a stranger can then not send a megabyte to the login.
 * Applies to routes that are registered afterwards and have no limit of their own.
 */
export function limitBodySizes(app: FastifyInstance, bodyLimit: number): void {
  app.addHook('onRoute', (route) => {
    const fields = (route.schema?.body ?? route.config?.fields) as Schema | undefined;
    if (route.bodyLimit !== undefined || fields === undefined) return;
    const longest = longestOf(fields);
    if (longest !== undefined) route.bodyLimit = Math.min(bodyLimit, Math.max(least, longest));
  });
}

/** Bytes of the longest value that fits a schema; undefined for one without an end. */
function longestOf(schema: Schema): number | undefined {
  if (schema['x-bytes']) return undefined;
  if (schema.anyOf) return sumOf(schema.anyOf);
  if (schema.enum) return perValue + JSON.stringify(schema.enum).length;
  if (schema.const !== undefined) return perValue + JSON.stringify(schema.const).length;
  if (schema.type === 'string') {
    if (schema.format?.startsWith('date') || schema.format === 'uuid') return perValue;
    return schema.maxLength === undefined ? undefined : perValue + perCharacter * schema.maxLength;
  }
  if (schema.type === 'array') {
    const each = schema.items && longestOf(schema.items);
    return each === undefined || schema.maxItems === undefined ? undefined : perValue + each * schema.maxItems;
  }
  if (schema.type === 'object') {
    if (schema.properties === undefined) return undefined;
    const names = Object.keys(schema.properties).join('').length;
    const values = sumOf(Object.values(schema.properties));
    return values === undefined ? undefined : perValue + names + values;
  }
  return ['integer', 'number', 'boolean', 'null'].includes(schema.type ?? '') ? perValue : undefined;
}

function sumOf(schemas: readonly Schema[]): number | undefined {
  let sum = 0;
  for (const schema of schemas) {
    const longest = longestOf(schema);
    if (longest === undefined) return undefined;
    sum += perValue + longest;
  }
  return sum;
}
