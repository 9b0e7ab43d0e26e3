import type { FastifyRequest } from 'fastify';
import { BadRequestError, fileTooLarge, InvalidError, invalidFile, ServiceError } from '../../errors.ts';

const missing = () => new InvalidError([{ loc: ['body', 'file'], msg: 'Field required', type: 'missing' }]);

/**
 * Reads the one file of a multipart body, from a field of any name: the documented one is `file`. Texts are skipped, like unknown fields of
 * JSON.
 * @throws ServiceError 413; InvalidError; BadRequestError where the content of the body is not multipart
 */
export async function readFile(request: FastifyRequest, maxBytes: number): Promise<{ name: string; content: Buffer }> {
  const limits = { fileSize: maxBytes, files: 1, fields: 10, parts: 11, fieldSize: 10_000, headerPairs: 20 };
  let file: { name: string; content: Buffer } | undefined;
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file') {
        // The types do not know that an empty name is undefined.
        const name = part.filename as string | undefined;
        file = { name: name ?? '', content: await part.toBuffer() };
      } else if (part.fieldname === 'file') {
        throw invalidFile('a file is expected, with a file name');
      }
    }
  } catch (error) {
    throw explain(error, maxBytes);
  }
  if (file === undefined) throw missing();
  return file;
}

/** The content of the file. */
export const readFileField = async (request: FastifyRequest, maxBytes: number): Promise<Buffer> =>
  (await readFile(request, maxBytes)).content;

function explain(error: unknown, maxBytes: number): Error {
  if (error instanceof ServiceError || error instanceof InvalidError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'FST_REQ_FILE_TOO_LARGE') return fileTooLarge(maxBytes);
  if (code === 'FST_FILES_LIMIT') return invalidFile('one file is expected');
  return new BadRequestError('bad_request', 'The multipart body is not valid');
}
