import type { FastifyInstance } from 'fastify';

/** Bytes that every route takes: a value that is somewhat too long gets a reason (422), not only a size (413). */
const least = 65_536;
/** Bytes of a character of JSON at most: two escapes, such as `\ud83d\ude00`. */
const perCharacter = 12;
/** Bytes of a number, a boolean, a date or null, and of what is around a value. */
const perValue = 64;

type Schema = {
  type?: string;
  format?: string;
  maxLength?: number;
  maxItems?: number;
  enum?: unknown[];
  const?: unknown;
  items?: Schema;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  'x-bytes'?: boolean;
};

/**
 * Limits the body of each route to what its fields can need, at most `bodyLimit`: a stranger can then not send a megabyte to the login.
 * Applies to routes that are registered afterwards and have no limit of their own.
 */
export function limitBodySizes(app: FastifyInstance, bodyLimit: number): void {
  app.addHook('onRoute', (route) => {
    const fields = (route.schema?.body ?? route.config?.fields) as Schema | undefined;
    if (route.bodyLimit !== undefined || fields === undefined) return;
    const longest = longestOf(fields);
    if (longest !== undefined) route.bodyLimit = Math.min(bodyLimit, Math.max(least, longest));
  });
}

/** Bytes of the longest value that fits a schema; undefined for one without an end. */
function longestOf(schema: Schema): number | undefined {
  if (schema['x-bytes']) return undefined;
  if (schema.anyOf) return sumOf(schema.anyOf);
  if (schema.enum) return perValue + JSON.stringify(schema.enum).length;
  if (schema.const !== undefined) return perValue + JSON.stringify(schema.const).length;
  if (schema.type === 'string') {
    if (schema.format === 'date-time' || schema.format === 'uuid') return perValue;
    return schema.maxLength === undefined ? undefined : perValue + perCharacter * schema.maxLength;
  }
  if (schema.type === 'array') {
    const each = schema.items && longestOf(schema.items);
    return each === undefined || schema.maxItems === undefined ? undefined : perValue + each * schema.maxItems;
  }
  if (schema.type === 'object') {
    if (schema.properties === undefined) return undefined;
    const names = Object.keys(schema.properties).join('').length;
    const values = sumOf(Object.values(schema.properties));
    return values === undefined ? undefined : perValue + names + values;
  }
  return ['integer', 'number', 'boolean', 'null'].includes(schema.type ?? '') ? perValue : undefined;
}

function sumOf(schemas: readonly Schema[]): number | undefined {
  let sum = 0;
  for (const schema of schemas) {
    const longest = longestOf(schema);
    if (longest === undefined) return undefined;
    sum += perValue + longest;
  }
  return sum;
}
