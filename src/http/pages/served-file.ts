import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { sendTagged, unchanged } from '../protocol/entity-tag.ts';

/** Disables scripts and external references in a picture, even when it is opened as a page. */
const pictureCsp = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** The answers of a route that serves files of these media types. */
export const fileAnswers = (types: readonly string[]) => ({
  200: {
    description: 'The file.',
    content: Object.fromEntries(types.map((type) => [type, { schema: Type.String({ format: 'binary' }) }])),
  },
  ...unchanged,
});

/** Sends such a file. A browser neither guesses another type nor runs anything in it. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { id, mediaType, read }: { id: string; mediaType: string; read: () => Promise<Buffer> },
): Promise<FastifyReply> {
  reply.header('X-Content-Type-Options', 'nosniff');
  if (mediaType === 'application/octet-stream') reply.header('Content-Disposition', 'attachment');
  if (mediaType === 'image/svg+xml') reply.header('Content-Security-Policy', pictureCsp);
  return await sendTagged(request, reply, { tag: `"${id}"`, type: mediaType, read });
}
