import fastJson from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';

type Serialize = (value: unknown) => string;

const compiled = new WeakMap<object, Serialize>();

/**
 * Fastify's serializer compiler, but each schema is compiled at its first use and once for all routes: compiling all of them at
 * startup would take a large part of it.
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
