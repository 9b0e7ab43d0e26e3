import type { Readable } from 'node:stream';

/**
 * Reads a whole stream as text.
 * @param limit bytes
 * @throws Error when there are more; the stream is destroyed then
 */
export async function readAtMost(stream: Readable, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new Error(`more than ${limit} bytes of output`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
