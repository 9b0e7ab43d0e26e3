import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isWhole } from './paging.ts';

/** Rows that are serialised between two turns of the event loop: a few milliseconds. */
const rowsAtOnce = 200;

/**
 * A list without `page` and `page_size` has up to 10,000 rows. So that it delays nobody, it is serialised in pieces, and so that nobody
 * fills the memory with them, a user has one of them at a time: the next one waits until the one before is ready to be sent.
 */
export function limitWholeLists(app: FastifyInstance): void {
  const turns = new Turns();
  const releases = new WeakMap<FastifyRequest, () => void>();

  app.addHook('preHandler', (request, reply, done) => {
    if (request.user === null || request.user === undefined || !isWholeList(request)) return done();
    const { turn, release } = turns.take(request.user.id);
    releases.set(request, release);
    // A client that has gone gets no answer.
    reply.raw.once('close', release);
    turn.then(() => done(), done);
  });
  app.addHook('onSend', (request, _reply, payload, done) => {
    releases.get(request)?.();
    done(null, payload);
  });

  app.addHook('preSerialization', (_request, reply, payload, done) => {
    const isLong = Array.isArray(payload) && payload.length > rowsAtOnce && reply.statusCode === 200;
    if (!isLong) return done(null, payload);
    const serialize = (rows: unknown[]) => String(reply.serializeInput(rows as never, '200'));
    reply.serializer((json) => json as string);
    inPieces(payload, serialize).then(
      (json) => done(null, json),
      (error: Error) => done(error),
    );
  });
}

/** Whether the route is a list of pages, of which the request names none. */
function isWholeList({ method, routeOptions, query }: FastifyRequest): boolean {
  const known = (routeOptions.schema?.querystring as { properties?: object } | undefined)?.properties;
  return method === 'GET' && known !== undefined && 'page_size' in known && isWhole(query as object);
}

async function inPieces(rows: readonly unknown[], serialize: (rows: unknown[]) => string): Promise<string> {
  const pieces: string[] = [];
  for (let first = 0; first < rows.length; first += rowsAtOnce) {
    if (first > 0) await setImmediate();
    pieces.push(serialize(rows.slice(first, first + rowsAtOnce)).slice(1, -1));
  }
  return `[${pieces.join(',')}]`;
}

/** One after another, for each user. */
class Turns {
  readonly #last = new Map<number, Promise<void>>();

  /** @returns a promise of the turn, and what ends it */
  take(userId: number): { turn: Promise<void>; release: () => void } {
    const turn = this.#last.get(userId) ?? Promise.resolve();
    const own = Promise.withResolvers<void>();
    const ended = turn.then(() => own.promise);
    this.#last.set(userId, ended);
    void ended.then(() => {
      if (this.#last.get(userId) === ended) this.#last.delete(userId);
    });
    return { turn, release: own.resolve };
  }
}
