import { Readable } from 'node:stream';
import { errorCodeOf, escapeXml, textOf } from './s3-answers.ts';
import { type S3Client, S3Error, type S3Request } from './s3-client.ts';

/** Bytes of one part of an upload. At most this and the next part are in memory. S3 takes at least 5 MiB and 10,000 parts. */
const partBytes = 8 * 1024 * 1024;

/**
 * Stores a body of unknown length. Up to one part it is one request, otherwise a multipart upload. S3 shows the object when the upload is
 * completed.
 * @param isThere whether the object exists with that many bytes, for the case that the answer to the completion was lost
 * @returns its bytes. @throws S3Error, and errors of the body; the upload is then aborted
 */
export async function upload(
  client: S3Client,
  name: string,
  body: AsyncIterable<Uint8Array>,
  isThere: (bytes: number) => Promise<boolean>,
): Promise<number> {
  const parts = inParts(body);
  try {
    const first = (await parts.next()).value ?? Buffer.alloc(0);
    const second = await parts.next();
    if (second.done) {
      await client.text({ method: 'PUT', name, body: first });
      return first.length;
    }
    return await uploadParts(client, name, joined(first, second.value, parts), isThere);
  } finally {
    await parts.return(undefined);
  }
}

async function* joined(first: Buffer, second: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield second;
  yield* rest;
}

/** All parts but the last have the same size, which some servers demand. */
async function* inParts(body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, undefined> {
  let chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (let chunk of body) {
    while (bytes + chunk.length >= partBytes) {
      const room = partBytes - bytes;
      yield Buffer.concat([...chunks, chunk.subarray(0, room)]);
      chunk = chunk.subarray(room);
      chunks = [];
      bytes = 0;
    }
    // A copy, because the source may use the memory again.
    if (chunk.length > 0) chunks.push(Uint8Array.from(chunk));
    bytes += chunk.length;
  }
  if (bytes > 0) yield Buffer.concat(chunks);
  return undefined;
}

async function uploadParts(
  client: S3Client,
  name: string,
  parts: AsyncIterable<Buffer>,
  isThere: (bytes: number) => Promise<boolean>,
): Promise<number> {
  const begin: S3Request = { method: 'POST', name, query: { uploads: '' } };
  const uploadId = textOf(await client.text(begin), 'UploadId');
  if (!uploadId) throw new S3Error(begin, 200, 'no upload id', { isRetryable: false });
  try {
    const tags: string[] = [];
    let bytes = 0;
    for await (const body of parts) {
      const query = { partNumber: `${tags.length + 1}`, uploadId };
      const response = await client.open({ method: 'PUT', name, query, body });
      await response.body?.cancel();
      tags.push(response.headers.get('etag') ?? '');
      bytes += body.length;
    }
    await complete(client, { name, uploadId, tags }, () => isThere(bytes));
    return bytes;
  } catch (error) {
    // An upload that cannot be aborted now is removed with other unfinished ones.
    await client.text({ method: 'DELETE', name, query: { uploadId } }).catch(() => undefined);
    throw error;
  }
}

async function complete(
  client: S3Client,
  { name, uploadId, tags }: { name: string; uploadId: string; tags: readonly string[] },
  isThere: () => Promise<boolean>,
): Promise<void> {
  const parts = tags.map(
    (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
  );
  const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
  const request: S3Request = { method: 'POST', name, query: { uploadId }, body };
  try {
    // S3 answers 200 before it has put the parts together. An error then follows in the body.
    const code = errorCodeOf(await client.text(request));
    if (code !== undefined) throw new S3Error(request, 200, code, { isRetryable: false });
  } catch (error) {
    // The first attempt was successful, and its answer was lost.
    const isUnknown = error instanceof S3Error && error.code === 'NoSuchUpload';
    if (!isUnknown || !(await isThere())) throw error;
  }
}

/** A stream of Node that fails with the error of the source. */
export const readableOf = (source: AsyncIterable<Uint8Array>): Readable => Readable.from(source, { objectMode: false });
