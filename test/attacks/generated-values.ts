import fc from 'fast-check';

export type JsonSchema = {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  'x-id'?: boolean;
};

/** Replaced by the id of an existing row when the request is sent. */
export class KnownId {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}

export const knownId: fc.Arbitrary<KnownId> = fc.nat(50).map((index) => new KnownId(index));

const deep = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

/** Unusual text. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      ' ',
      '\0',
      'a\0b',
      '\ud800',
      'x\udc00y',
      '\uffff',
      '\u202e',
      '\ufeff',
      '👩‍👩‍👧‍👦',
      'İıſK',
      '\r\n',
      '\x1b[2J',
      '\u2028',
    ],
    ...["'; drop table users; --", '" or 1=1', '%', '_', '\\', '%s%n', '{{7*7}}', '`id`', '$(id)', '../../etc/passwd'],
    ...[
      '__proto__',
      'constructor',
      'null',
      'undefined',
      'NaN',
      '-0',
      '1e309',
      '0x10',
      '١',
      '9'.repeat(30),
      'true',
      '[]',
      '{}',
    ],
    ...[
      'infinity',
      '-infinity',
      'epoch',
      '2026-02-30T00:00:00.000Z',
      '+275760-09-13T00:00:00.001Z',
      '<script>',
      '=1+1',
      'a,b\n"c',
    ],
  ),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc
    .tuple(fc.constantFrom('a', 'é', '👍', '\ud83d', ' ', '%', '\\', '"'), fc.integer({ min: 50, max: 3000 }))
    .map(([text, count]) => text.repeat(count)),
);

export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom(
    ...[null, true, false, 0, -0, -1, 1.5, 2 ** 31, 2 ** 31 - 1, -(2 ** 31), 2 ** 53, -(2 ** 63), 1e21, 1e308, 5e-324],
    ...[[], {}, [[]], [null], deep(40), deep(500), { toString: 1 }, { length: -1 }],
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.jsonValue(),
  knownId,
);

const email = fc
  .tuple(
    fc.stringMatching(/^[a-z][a-z0-9]{0,11}$/),
    fc.constantFrom('example.com', 'schule.example.org', 'a.test', 'x'),
  )
  .map(([name, host]) => `${name}@${host}`);

const script = fc.constantFrom('echo PASS', '#!/bin/bash\nexit 1', '');

function text(schema: JsonSchema): fc.Arbitrary<string> {
  const { format, pattern, minLength = 0, maxLength = 40 } = schema;
  if (format === 'email') return email;
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (format === 'uuid') return fc.uuid();
  // A pattern can demand more than the 40 characters of other texts.
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern), { maxLength: schema.maxLength ?? 100 });
  const length = { minLength, maxLength: Math.min(maxLength, Math.max(40, minLength)) };
  return fc.oneof(fc.string(length), fc.string({ ...length, unit: 'grapheme' }), script);
}

const integer = ({ minimum = -(2 ** 31), maximum = 2 ** 31 - 1 }: JsonSchema): fc.Arbitrary<number> =>
  fc.oneof(
    { arbitrary: fc.integer({ min: minimum, max: Math.min(maximum, minimum + 100) }), weight: 20 },
    { arbitrary: fc.constantFrom(minimum, maximum), weight: 3 },
    fc.constantFrom(minimum - 1, maximum + 1),
  );

const number = ({ minimum = -1000, maximum = 1000 }: JsonSchema): fc.Arbitrary<number> =>
  fc.oneof(fc.double({ min: minimum, max: maximum, noNaN: true }), fc.constantFrom(minimum, maximum, 0.1, 1e-7));

/** A value that mostly fits the schema. @param name of the field, which can show that it is an id */
export function valueFor(schema: JsonSchema, name = ''): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: fitting(schema, name), weight: 25 }, { arbitrary: hostile, weight: 1 });
}

function fitting(schema: JsonSchema, name: string): fc.Arbitrary<unknown> {
  if (schema['x-id'] || /(^|_)ids?$/.test(name)) {
    return schema.type === 'array' ? fc.array(knownId, { maxLength: 8 }) : knownId;
  }
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => fitting(one, name)));
  switch ([schema.type].flat()[0]) {
    case 'string':
      return text(schema);
    case 'integer':
      return integer(schema);
    case 'number':
      return number(schema);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(schema.items ? valueFor(schema.items, name) : hostile, { maxLength: 8 });
    case 'object':
      return objectOf(schema);
    case 'null':
      return fc.constant(null);
    default:
      return hostile;
  }
}

/** Most of the fields, sometimes without a required one or with an unknown one. */
export function objectOf({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<Record<string, unknown>> {
  const absent = fc.constant(undefined);
  const fields = Object.entries(properties).map(([name, schema]): [string, fc.Arbitrary<unknown>] => [
    name,
    fc.oneof(
      { arbitrary: valueFor(schema, name), weight: required.includes(name) ? 60 : 2 },
      { arbitrary: absent, weight: 1 },
    ),
  ]);
  const more = fc.oneof({ arbitrary: fc.constant({}), weight: 9 }, fc.dictionary(hostileText, hostile, { maxKeys: 3 }));
  return fc.tuple(fc.record(Object.fromEntries(fields)), more).map(([known, unknown]) => ({ ...unknown, ...known }));
}
