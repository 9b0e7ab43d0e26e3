import { createRequire } from 'node:module';
import type { FastifySerializerCompiler } from 'fastify';

const require = createRequire(import.meta.url);
/** Loaded with the first answer. */
const fastJson = () => require('fast-json-stringify') as typeof import('fast-json-stringify');

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
    const serialize: Serialize = fastJson()(schema);
    compiled.set(schema, serialize);
    return serialize(value);
  };
