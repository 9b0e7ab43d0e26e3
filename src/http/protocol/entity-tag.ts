import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Type } from 'typebox';
import { matchesTag } from './negotiation.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Answers of this route have an `ETag`, and 304 for a client that has the answer already. The tag is the hash of the answer, unless
     * the route sends one of its own with `sendTagged`. The API document shows both.
     */
    hasEntityTag?: boolean;
  }
}

/** The answer to a client that has the content already, for the API document. */
export const unchanged = { 304: Type.Null({ description: 'The client has it already.' }) };

/** Only the client itself may keep the answer, and it asks every time whether the answer has changed. */
const cacheControl = 'private, no-cache';

/** An entity tag for content. Equal content has the same tag in every process. */
export const tagOf = (content: string | Buffer): string => `"${hash('sha1', content, 'base64url')}"`;

/** An answer with its tag. */
export type TaggedAnswer = {
  tag: string;
  type: string;
  /** Not called for a client that has the answer. */
  read: () => string | Buffer | Promise<string | Buffer>;
};

/** A serialised answer with its tag. */
export function toAnswer(json: string): TaggedAnswer {
  const body = Buffer.from(json);
  return { tag: tagOf(body), type: 'application/json; charset=utf-8', read: () => body };
}

/** Views of one list that are kept. */
const maxViews = 50;

/** Serialised answers of lists that are cached themselves: an answer lives as long as its list. */
export class SerializedLists<Row> {
  readonly #answers = new WeakMap<readonly Row[], LRUCache<string, TaggedAnswer>>();

  /** @param view distinguishes what different callers see of the same list */
  of(list: readonly Row[], view: string, serialize: () => string): TaggedAnswer {
    const known = this.#answers.get(list) ?? new LRUCache<string, TaggedAnswer>({ max: maxViews });
    this.#answers.set(list, known);
    const answer = known.get(view) ?? toAnswer(serialize());
    known.set(view, answer);
    return answer;
  }
}

/**
 * Sends an answer unless the client has it already. Headers are set last, so that an error has none of them.
 */
export async function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: TaggedAnswer,
): Promise<FastifyReply> {
  const isKnown = matchesTag(request.headers['if-none-match'], answer.tag);
  const body = isKnown ? null : await answer.read();
  reply.header('ETag', answer.tag).header('Cache-Control', cacheControl);
  return body === null ? reply.code(304).send() : reply.type(answer.type).send(body);
}

/** Tags the answers of all routes that are registered afterwards with `hasEntityTag`. Access is checked before, as for every request. */
export function installEntityTags(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isTagged = request.routeOptions.config.hasEntityTag === true && reply.statusCode === 200;
    if (!isTagged || reply.hasHeader('ETag') || typeof payload !== 'string') return done(null, payload);
    const tag = tagOf(payload);
    reply.header('ETag', tag).header('Cache-Control', cacheControl);
    // Fastify's own HEAD routes need the body to know its length.
    if (request.method !== 'GET' || !matchesTag(request.headers['if-none-match'], tag)) return done(null, payload);
    reply.code(304).removeHeader('content-type');
    done(null, null);
  });
}
