import type { FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import { InvalidError, type ValidationItem } from '../../errors.ts';
import { compileFields } from './validation.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The fields of a route that uses `queryOrBody`, for the API document. */
    fields?: TSchema;
  }
}

/**
 * Reads an administrator's fields from the query string and a JSON body. Each part is parsed by its own rules (text or JSON types).
 * A field with different values in both is refused; a required one may be in either.
 * @returns a reader for requests of one route
 * @throws InvalidError
 */
export function queryOrBody<T extends TObject>(schema: T): (request: FastifyRequest) => Static<T> {
  const required: readonly string[] = (schema as { required?: string[] }).required ?? [];
  const validate = compileFields({ ...schema, required: [] });

  return (request) => {
    const isObject = typeof request.body === 'object' && request.body !== null && !Array.isArray(request.body);
    if (request.body != null && !isObject) {
      const msg = 'Input should be a valid dictionary or object to extract fields from';
      throw new InvalidError([{ loc: ['body'], msg, type: 'model_attributes_type' }]);
    }
    const query = { ...(request.query as Record<string, unknown>) };
    const body = { ...(request.body as Record<string, unknown> | null) };
    const items: ValidationItem[] = [...validate(query, 'query'), ...validate(body, 'body')];
    for (const [name, value] of Object.entries(body)) {
      if (name in query && query[name] !== value) {
        items.push({ loc: ['query', name], msg: 'Value error, the body gives another value', type: 'value_error' });
      }
    }
    for (const name of required) {
      if (name in query || name in body) continue;
      items.push({ loc: [isObject ? 'body' : 'query', name], msg: 'Field required', type: 'missing' });
    }
    if (items.length > 0) throw new InvalidError(items);
    return { ...query, ...body } as Static<T>;
  };
}
