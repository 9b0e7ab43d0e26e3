import type { IncomingMessage } from 'node:http';
import type Docker from 'dockerode';

/** Maximum bytes read of the engine's list. A student can create millions of files, and the list is meant for people. */
const listLimit = 4 * 1024 * 1024;

/** The paths that differ from the image, within the first 4 MiB of the engine's list. */
export async function readChangedFiles(
  docker: Docker,
  ref: string,
  abortSignal: AbortSignal,
  limit = listLimit,
): Promise<string[]> {
  const statusCodes = { 200: true, 404: 'no such container', 500: 'server error' };
  const options = { path: `/containers/${ref}/changes`, method: 'GET', isStream: true, statusCodes, abortSignal };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    docker.modem.dial(options, (error: unknown, data: unknown) =>
      error ? reject(error) : resolve(data as IncomingMessage),
    );
  });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) break;
  }
  answer.destroy();
  const text = Buffer.concat(chunks).toString('utf8');
  return [...text.matchAll(/"Path":("(?:[^"\\]|\\.)*")/g)].map(([, path = '""']) => JSON.parse(path) as string);
}
