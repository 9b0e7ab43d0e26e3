import type { FastifyInstance, FastifyRequest } from 'fastify';
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
