import type { FastifyInstance, FastifyRequest, FastifySchemaCompiler } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { ServiceError } from '../../errors.ts';

const json = 'application/json';

/** The content types of the bodies that a route reads. */
const typesOf = ({ routeOptions }: FastifyRequest): readonly string[] =>
  (routeOptions.schema as { consumes?: string[] } | undefined)?.consumes ?? [json];

/** The answer to a body of another type, with the types that are read. */
export const unsupportedMediaType = (request: FastifyRequest): ServiceError =>
  new ServiceError(415, 'unsupported_media_type', `Unsupported Media Type: send ${typesOf(request).join(' or ')}`);

/** A body without a content type is read as JSON where JSON is read. */
export function readUntypedJson(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request;
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
    if (hasBody && !headers['content-type'] && typesOf(request).includes(json)) headers['content-type'] = json;
    done();
  });
}

/** For `consumes` of such a route. */
export const tableTypes = ['text/csv', 'text/tab-separated-values', 'text/plain'];

/** The body of a route that takes a table. It is not decoded: the encoding is found from its bytes. */
export const TableBody = Type.Unsafe<Buffer>({
  type: 'string',
  'x-bytes': true,
  description: 'A table with commas, semicolons or tabs, in UTF-8, UTF-16, Windows-1251 or Windows-1252.',
});

/** Lets the routes of a plugin take tables. */
export function acceptTables(app: Pick<FastifyInstance, 'addContentTypeParser'>): void {
  app.addContentTypeParser(tableTypes, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

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
