import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import { Invalid, NotFound, type ValidationItem } from '../errors.ts';
import { isEmail } from './email.ts';
import { booleanWords, describe } from './validation-messages.ts';

const maxId = 2_147_483_647;
const integerForm = /^\s*[+-]?\d+\s*$/;
/** RFC 3339. */
const momentForm = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;
const maxItems = 50;
const maxDepth = 32;

type Property = { type?: string; 'x-id'?: boolean; anyOf?: Property[] };
type ObjectSchema = { properties?: Record<string, Property> };

const shared = { allErrors: true, removeAdditional: 'all', useDefaults: true, strict: false, verbose: true } as const;

/** Text arrives in paths, query strings and headers, so numbers and booleans are read from it; JSON bodies have types of their own. */
const compilers = {
  text: new Ajv({ ...shared, coerceTypes: true }),
  body: new Ajv({ ...shared, coerceTypes: false }),
};
for (const ajv of Object.values(compilers)) {
  ajv.addFormat('email', isEmail);
  ajv.addFormat('date-time', (text: string) => momentForm.test(text) && !Number.isNaN(Date.parse(text)));
  ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
  ajv.addFormat('bytes72', (text: string) => Buffer.byteLength(text) <= 72);
  ajv.addKeyword('x-id');
  ajv.addKeyword('x-optional');
}

/** Text that PostgreSQL cannot hold, anywhere in a value: with a NUL, or with half of a surrogate pair, which `\\ud800` in JSON gives. */
function textItems(value: unknown, path: (string | number)[], depth = 0): ValidationItem[] {
  if (typeof value === 'string') {
    if (value.includes('\0'))
      return [{ loc: path, msg: 'Value error, NUL characters are not allowed', type: 'value_error' }];
    if (value.isWellFormed()) return [];
    const msg = 'Input should be a valid string, unable to parse raw data as a unicode string';
    return [{ loc: path, msg, type: 'string_unicode' }];
  }
  if (typeof value !== 'object' || value === null) return [];
  if (depth > maxDepth) return [{ loc: path, msg: 'Value error, the value is nested too deeply', type: 'value_error' }];
  return Object.entries(value).flatMap(([key, item]) => {
    const step = Array.isArray(value) ? Number(key) : key.replaceAll('\0', '\uFFFD').toWellFormed();
    const here = textItems(key, [...path, step]);
    return [...here, ...textItems(item, [...path, step], depth + 1)];
  });
}

/**
 * What Ajv's coercion would let through and a whole number is not: `1e3`, `0x10`, the empty text. An id beyond the range
 * is one that does not exist. @throws NotFound
 */
function integerItems(schema: ObjectSchema, value: unknown, part: string): ValidationItem[] {
  if (typeof value !== 'object' || value === null) return [];
  const items: ValidationItem[] = [];
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isNullable = property.anyOf?.some(({ type }) => type === 'null') ?? false;
    const integer = [property, ...(property.anyOf ?? [])].find(({ type }) => type === 'integer');
    const given = (value as Record<string, unknown>)[name];
    if (!integer || (isNullable && given === '')) continue;
    const isText = typeof given === 'string' && part !== 'body';
    if (isText && !integerForm.test(given)) {
      items.push({
        loc: [part, name],
        msg: 'Input should be a valid integer, unable to parse string as an integer',
        type: 'int_parsing',
      });
    } else if (integer['x-id'] && (isText || Number.isInteger(given)) && (Number(given) < 1 || Number(given) > maxId)) {
      throw new NotFound('not_found', 'Not Found');
    }
  }
  return items;
}

/** Reads the words for yes and no that Pydantic takes in text, in place; Ajv takes only two of them. */
function readBooleans(schema: ObjectSchema, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const fields = value as Record<string, unknown>;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isBoolean = [property, ...(property.anyOf ?? [])].some(({ type }) => type === 'boolean');
    const given = fields[name];
    if (isBoolean && typeof given === 'string') fields[name] = booleanWords.get(given.toLowerCase()) ?? given;
  }
}

/** A value that may be null as well is told what else it should have been. */
const isAboutNull = (error: ErrorObject): boolean => error.keyword === 'type' && error.params['type'] === 'null';
const combining = ['if', 'anyOf', 'oneOf', 'not'];

/** Checks one part of a request and returns what is wrong with it; an empty list is a valid value (coerced, stripped of unknown fields). */
function check(validate: ValidateFunction, schema: ObjectSchema, value: unknown, part: string): ValidationItem[] {
  const early = [...textItems(value, [part]), ...integerItems(schema, value, part)];
  if (early.length > 0) return early;
  const isText = part !== 'body';
  if (isText) readBooleans(schema, value);
  if (validate(value)) return [];
  return (validate.errors ?? [])
    .filter((error, _, all) => all.length === 1 || !(combining.includes(error.keyword) || isAboutNull(error)))
    .map((error) => describe(error, part, isText));
}

/** Most schemas are not asked in the first minutes of a service, and compiling all of them would take a good part of its start. */
function compileLater(compiler: keyof typeof compilers, schema: object): () => ValidateFunction {
  let compiled: ValidateFunction | undefined;
  return () => {
    compiled ??= compilers[compiler].compile(schema);
    return compiled;
  };
}

const partNames: Record<string, string> = { params: 'path', querystring: 'query', body: 'body', headers: 'header' };

/** Fastify's validator compiler: errors leave as `Invalid`, in the words of Pydantic 2, and never carry the input. */
export const compileValidator: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const part = partNames[httpPart ?? 'body'] ?? 'body';
  const validate = compileLater(part === 'body' ? 'body' : 'text', schema);
  return (value: unknown) => {
    // A body that may be left out altogether arrives as an empty one.
    if (value == null && 'x-optional' in schema) return { value: {} };
    try {
      const items = check(validate(), schema as ObjectSchema, value, part);
      return items.length === 0 ? { value } : { error: new Invalid(items.slice(0, maxItems)) };
    } catch (error) {
      if (error instanceof NotFound) return { error };
      throw error;
    }
  };
};

/** Compiles a schema for values that came as text or as JSON (see `queryOrBody`). */
export function compileFields(schema: object): (value: Record<string, unknown>, part: string) => ValidationItem[] {
  const validators = { text: compileLater('text', schema), body: compileLater('body', schema) };
  return (value, part) =>
    check((part === 'body' ? validators.body : validators.text)(), schema as ObjectSchema, value, part);
}
