import fastJson from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';

type Serialize = (value: unknown) => string;

const compiled = new WeakMap<object, Serialize>();

/**
 * Fastify's serializer compiler: what it compiles itself, but each schema when something is answered by it for the first time, and once
 * for all routes: all of them at once would be a good part of a start.
 */
export const compileSerializer: FastifySerializerCompiler<object> =
  ({ schema }) =>
  (value: unknown) => {
    const known = compiled.get(schema);
    if (known) return known(value);
    const serialize: Serialize = fastJson(schema);
    compiled.set(schema, serialize);
    return serialize(value);
  };
