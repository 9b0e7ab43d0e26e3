import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, SchemaValidateFunction, ValidateFunction } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import { InvalidError, NotFoundError, type ValidationItem } from '../../errors.ts';
import { isDay, isTime } from '../../values/day.ts';
import { canonicalEmail, isEmail } from '../../values/email-address.ts';
import { oneLine } from '../../values/one-line.ts';
import { normalName, usernameProblem } from '../../values/username.ts';
import { booleanWords, describe } from './validation-messages.ts';

const maxId = 2_147_483_647;
const integerForm = /^\s*[+-]?\d+\s*$/;
/** RFC 3339. */
const momentForm = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;
const maxItems = 50;
const maxDepth = 32;

type Property = { type?: string; 'x-id'?: boolean; anyOf?: Property[] };
type ObjectSchema = { properties?: Record<string, Property> };

const require = createRequire(import.meta.url);
const shared = { allErrors: true, removeAdditional: 'all', useDefaults: true, strict: false, verbose: true } as const;

/** Paths, query strings and headers are text, so numbers and booleans are parsed from it. JSON bodies have their own types. */
const isCoerced = { text: true, body: false };
type Compiler = keyof typeof isCoerced;
const compilers = new Map<Compiler, Ajv>();

/** Loads Ajv with the first schema. */
function compilerFor(compiler: Compiler): Ajv {
  const known = compilers.get(compiler);
  if (known) return known;
  const { Ajv } = require('ajv') as typeof import('ajv');
  const ajv = new Ajv({ ...shared, coerceTypes: isCoerced[compiler] });
  compilers.set(compiler, ajv);
  ajv.addFormat('email', isEmail);
  ajv.addFormat('date-time', (text: string) => momentForm.test(text) && isTime(text));
  ajv.addFormat('date', isDay);
  ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
  ajv.addFormat('bytes72', (text: string) => Buffer.byteLength(text) <= 72);
  ajv.addKeyword('x-id');
  ajv.addKeyword('x-optional');
  ajv.addKeyword('x-bytes');
  // Before the checks of lengths and forms.
  const reads = { type: 'string', modifying: true, before: 'maxLength' } as const;
  ajv.addKeyword({ ...reads, keyword: 'x-email', validate: reading(canonicalEmail) });
  // After them: it can become null.
  const readName = reading((text) => oneLine(text) || null);
  ajv.addKeyword({ keyword: 'x-full-name', type: 'string', modifying: true, validate: readName });
  ajv.addKeyword({ ...reads, keyword: 'x-username', validate: readUsername });
  return ajv;
}

/** Puts a text into the form in which it is stored. */
const reading =
  (read: (text: string) => string | null): SchemaValidateFunction =>
  (_schema: unknown, given: string, _parent, at) => {
    store(read(given), at);
    return true;
  };

/** Puts a value in the place of that which is validated. */
function store(value: string | null, at: Parameters<SchemaValidateFunction>[3]): void {
  if (at?.parentData !== undefined) (at.parentData as Record<string, unknown>)[at.parentDataProperty] = value;
}

/** Puts a username into its normal form. The address is a field beside it. */
const readUsername: SchemaValidateFunction = (_schema: unknown, given: string, _parent, at) => {
  const username = normalName(given);
  store(username, at);
  const { email } = (at?.parentData ?? {}) as { email?: unknown };
  const problem = usernameProblem(username, typeof email === 'string' ? email : undefined);
  readUsername.errors = problem === undefined ? [] : [{ keyword: 'x-username', params: { problem } }];
  return problem === undefined;
};

/**
 * Reports text that PostgreSQL cannot store, anywhere in a value: with a NUL, or with an unpaired surrogate, such as `\\ud800` in
 * JSON. `jsonProblem` has limited the values of a body and their depth;
 * those of files are limited here.
 * @param items where the problems are added, up to `maxItems`
 */
function addTextItems(items: ValidationItem[], value: unknown, path: readonly (string | number)[]): void {
  if (items.length >= maxItems) return;
  if (path.length > maxDepth + 1) {
    items.push({ loc: [...path], msg: 'Value error, the value is nested too deeply', type: 'value_error' });
  } else if (typeof value === 'string') {
    if (value.includes('\0'))
      items.push({ loc: [...path], msg: 'Value error, NUL characters are not allowed', type: 'value_error' });
    else if (!value.isWellFormed()) {
      const msg = 'Input should be a valid string, unable to parse raw data as a unicode string';
      items.push({ loc: [...path], msg, type: 'string_unicode' });
    }
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      // Numbers and booleans are most of a long list.
      if (typeof item === 'string' || typeof item === 'object') addTextItems(items, item, [...path, index]);
    }
  } else if (typeof value === 'object' && value !== null && !Buffer.isBuffer(value)) {
    for (const [key, item] of Object.entries(value)) {
      const here = [...path, key.replaceAll('\0', '\uFFFD').toWellFormed()];
      addTextItems(items, key, here);
      addTextItems(items, item, here);
    }
  }
}

/**
 * Reports values that Ajv coerces to integers although they are not written as such: `1e3`, `0x10`, the empty string. An id out of
 * range does not exist.
 * @throws NotFoundError
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
      throw new NotFoundError('not_found', 'Not Found');
    }
  }
  return items;
}

/** Parses Pydantic's words for booleans in place; Ajv accepts only two of them. */
function readBooleans(schema: ObjectSchema, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const fields = value as Record<string, unknown>;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isBoolean = [property, ...(property.anyOf ?? [])].some(({ type }) => type === 'boolean');
    const given = fields[name];
    if (isBoolean && typeof given === 'string') fields[name] = booleanWords.get(given.toLowerCase()) ?? given;
  }
}

/** Whether an error is only about null: for a nullable value, the other error names the expected type. */
const isAboutNull = (error: ErrorObject): boolean => error.keyword === 'type' && error.params['type'] === 'null';
const combining = ['if', 'anyOf', 'oneOf', 'not'];

/**
 * Validates one part of a request and returns its problems; an empty list means a valid value (coerced, without unknown fields).
 */
function check(validate: ValidateFunction, schema: ObjectSchema, value: unknown, part: string): ValidationItem[] {
  const early: ValidationItem[] = [];
  addTextItems(early, value, [part]);
  early.push(...integerItems(schema, value, part));
  if (early.length > 0) return early;
  const isText = part !== 'body';
  if (isText) readBooleans(schema, value);
  if (validate(value)) return [];
  return (validate.errors ?? [])
    .filter((error, _, all) => all.length === 1 || !(combining.includes(error.keyword) || isAboutNull(error)))
    .slice(0, maxItems)
    .map((error) => describe(error, part, isText));
}

/**
 * Compiles a schema at its first use: most are not used in the first minutes, and compiling all would take a large part of the
 * startup.
 */
function compileLater(compiler: Compiler, schema: object): () => ValidateFunction {
  let compiled: ValidateFunction | undefined;
  return () => {
    compiled ??= compilerFor(compiler).compile(schema);
    return compiled;
  };
}

const partNames: Record<string, string> = { params: 'path', querystring: 'query', body: 'body', headers: 'header' };

const notBytes = new InvalidError([{ loc: ['body'], msg: 'Field required', type: 'missing' }]);
/** A file is read by its route. JSON, which the parser of the service has read, is none. */
const bytesValidator = (value: unknown) => (Buffer.isBuffer(value) ? { value } : { error: notBytes });

/** Fastify's validator compiler: errors become `Invalid`, in the words of Pydantic 2, and never contain the input. */
export const compileValidator: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const part = partNames[httpPart ?? 'body'] ?? 'body';
  if ('x-bytes' in schema) return bytesValidator;
  const validate = compileLater(part === 'body' ? 'body' : 'text', schema);
  return (value: unknown) => {
    // An optional body that is absent is treated as an empty one.
    if (value == null && 'x-optional' in schema) return { value: {} };
    try {
      // Headers that the schema does not name are kept: other parts of the service read them.
      const given = part === 'header' ? { ...(value as object) } : value;
      const items = check(validate(), schema as ObjectSchema, given, part);
      return items.length === 0 ? { value } : { error: new InvalidError(items.slice(0, maxItems)) };
    } catch (error) {
      if (error instanceof NotFoundError) return { error };
      throw error;
    }
  };
};

/** Compiles a schema for values that arrived as text or as JSON (see `queryOrBody`). */
export function compileFields(schema: object): (value: Record<string, unknown>, part: string) => ValidationItem[] {
  const validators = { text: compileLater('text', schema), body: compileLater('body', schema) };
  return (value, part) =>
    check((part === 'body' ? validators.body : validators.text)(), schema as ObjectSchema, value, part);
}

/** Compiles a schema for the fields of a line of a file: each problem, with the name of its field. */
export function checkedBy(
  schema: object,
): (fields: Record<string, unknown>) => { name: string; msg: string; type: string }[] {
  const validate = compileFields(schema);
  return (fields) => validate(fields, 'body').map(({ loc, msg, type }) => ({ name: String(loc.at(-1)), msg, type }));
}
