import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesTag, negotiateEncoding } from '../protocol/negotiation.ts';

const encodings = ['br', 'gzip'] as const;
type Forms = { tag: string } & Record<'identity' | (typeof encodings)[number], Buffer>;

/**
 * An answer that does not change during the life of the process. It is created and compressed at the first request, off the event
 * loop, then served from memory. Clients may cache it but must revalidate it.
 */
export class PreparedAnswer {
  readonly #type: string;
  readonly #make: () => string;
  #forms: Promise<Forms> | undefined;

  constructor(type: string, make: () => string) {
    this.#type = type;
    this.#make = make;
  }

  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    this.#forms ??= prepare(this.#make());
    const forms = await this.#forms;
    const encoding = negotiateEncoding(request.headers['accept-encoding'], encodings) ?? 'identity';
    const tag = `"${forms.tag}-${encoding}"`;
    reply.headers({ ETag: tag, 'Cache-Control': 'public, no-cache', Vary: varied(reply) });
    if (matchesTag(request.headers['if-none-match'], tag)) return reply.code(304).send();
    if (encoding !== 'identity') reply.header('Content-Encoding', encoding);
    return reply.type(this.#type).send(forms[encoding]);
  }
}

/** CORS may have added `Origin` already. */
function varied(reply: FastifyReply): string {
  const known = reply.getHeader('Vary');
  return known === undefined ? 'Accept-Encoding' : `${String(known)}, Accept-Encoding`;
}

async function prepare(text: string): Promise<Forms> {
  const identity = Buffer.from(text);
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(identity, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length },
    }),
    promisify(gzip)(identity, { level: 9 }),
  ]);
  const tag = createHash('sha256').update(identity).digest('base64url').slice(0, 22);
  return { tag, identity, br, gzip: gzipped };
}
