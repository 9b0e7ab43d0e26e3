import type { FastifyInstance, FastifyRequest, FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Type } from 'typebox';
import { unsupportedMediaType } from './media-types.ts';

export const binaryType = 'application/octet-stream';
export const BinaryBody = Type.Unsafe<Buffer>({ type: 'string', format: 'binary' });

/**
 * Lets the routes of an encapsulated plugin read bytes. Elsewhere they remain an unsupported type.
 * @returns the options of such a route; its body is not validated
 */
export function readsBytes(
  uploads: Pick<FastifyInstance, 'addContentTypeParser' | 'validatorCompiler'>,
  maxBytes: number,
) {
  uploads.addContentTypeParser(binaryType, { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, body, done) =>
    done(null, body),
  );
  const validatorCompiler: FastifySchemaCompiler<TSchema> = (part) =>
    part.httpPart === 'body' ? () => true : (uploads.validatorCompiler as FastifySchemaCompiler<TSchema>)(part);
  return { bodyLimit: maxBytes, validatorCompiler };
}

/** @throws ServiceError 415 for a request without such a body */
export function bytesOf(request: FastifyRequest): Buffer {
  if (!Buffer.isBuffer(request.body)) throw unsupportedMediaType(request);
  return request.body;
}
