import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { BinaryBody, binaryType } from './media-types.ts';

export type Download = { name: string; bytes: number; content: AsyncIterable<Buffer> };

/** The documented answer of `sendFile`. */
export const FileAnswer = { description: 'The file.', content: { [binaryType]: { schema: BinaryBody } } };

/** Streams a file that browsers save under its name. */
export const sendFile = (reply: FastifyReply, { name, bytes, content }: Download) =>
  reply
    .header('Content-Disposition', attachment(name))
    .header('Content-Length', bytes)
    .type(binaryType)
    // The types declare the content as a whole, but it is streamed.
    .send(Readable.from(content) as unknown as Buffer);

/** The name twice: readable for every client, and exactly. */
export function attachment(name: string): string {
  const plain = name.replaceAll(/[^\w .()+,@=-]/g, '_');
  const exact = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}
