import fc from 'fast-check';
import type { ApiDocument, Operation } from '../documented-answers.ts';
import { hostile, hostileText, type JsonSchema, KnownId, knownId, objectOf, valueFor } from './generated-values.ts';

const roles = ['nobody', 'student', 'instructor', 'admin', 'forged'] as const;
export type GeneratedRequest = {
  method: string;
  /** The path in the document. Its parameters are in `path`. */
  template: string;
  role: (typeof roles)[number];
  path: Record<string, KnownId | string>;
  query: [name: string, value: unknown][];
  headers: Record<string, string>;
  body: { type: string | undefined; value: unknown } | undefined;
};

/** Percent-encoded for a request line. Invalid UTF-16 becomes U+FFFD. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

/** What clients and attackers write instead of an id. It is not encoded. */
const rawSegment = fc.constantFrom(
  ...[
    '%',
    '%2',
    '%zz',
    '%ff',
    '%c0%af',
    '%00',
    '%2e%2e',
    '..',
    '.',
    '..%2f..',
    '%5c',
    ';',
    'x;y=1',
    '-1',
    '0',
    '2147483648',
  ],
  ...[
    '1e1',
    '1.0',
    '%201',
    '1%20',
    '+1',
    '01',
    '9'.repeat(40),
    'a'.repeat(1500),
    '%F0%9F%91%8D',
    '*',
    '~',
    '1,2',
    '(1)',
  ],
);

const segment = (name: string): fc.Arbitrary<KnownId | string> =>
  name === '*'
    ? fc
        .array(fc.oneof(rawSegment, hostileText.map(encoded)), { minLength: 1, maxLength: 4 })
        .map((parts) => parts.join('/'))
    : fc.oneof(
        { arbitrary: knownId, weight: 10 },
        { arbitrary: fc.oneof(rawSegment, hostileText.filter((text) => text !== '').map(encoded)), weight: 1 },
      );

function queryOf({ parameters = [] }: Operation): fc.Arbitrary<[string, unknown][]> {
  const named = parameters
    .filter((one) => one.in === 'query')
    .map(({ name, schema = {} }) =>
      fc
        .option(valueFor(schema as JsonSchema, name), { freq: 3 })
        .map((value): [string, unknown][] => (value === null ? [] : [[name, value]])),
    );
  const more = fc.oneof(
    { arbitrary: fc.constant<[string, unknown][]>([]), weight: 15 },
    fc.array(fc.tuple(hostileText as fc.Arbitrary<string>, hostile), { maxLength: 2 }),
    fc.constantFrom<[string, unknown][]>(
      [
        ['page', '1'],
        ['page', '2'],
      ],
      [['page', '999999']],
      [['__proto__', 'x']],
    ),
  );
  return fc.tuple(...named, more).map((parts) => parts.flat());
}

/** Sometimes a body of another type, or one that is not an object. */
function bodyOf(operation: Operation): fc.Arbitrary<GeneratedRequest['body']> {
  const content = operation.requestBody?.content;
  const anything = fc.record({
    type: fc.constantFrom(
      'application/json',
      'text/csv',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=b',
      'x',
      undefined,
    ),
    value: hostile,
  });
  if (!content) return fc.oneof({ arbitrary: fc.constant(undefined), weight: 8 }, anything);
  const fitting = Object.entries(content).map(([type, { schema = {} }]) =>
    fc.record({
      type: fc.constant<string | undefined>(type),
      value: type === 'text/csv' ? csv : objectOf(schema as JsonSchema),
    }),
  );
  return fc.oneof({ arbitrary: fc.oneof(...fitting), weight: 14 }, anything, fc.constant(undefined));
}

const csv = fc
  .tuple(
    fc.constantFrom('username,email,full_name,role,password', 'username,email,full_name,role', 'email'),
    fc.array(
      fc.array(fc.oneof(hostileText, fc.constantFrom('student', 'admin', 'a@example.com', 'password of mine')), {
        maxLength: 6,
      }),
      {
        maxLength: 3,
      },
    ),
  )
  .map(([header, lines]) => [header, ...lines.map((cells) => cells.join(','))].join('\n'));

const headers = fc.oneof(
  { arbitrary: fc.constant<Record<string, string>>({}), weight: 10 },
  fc.constantFrom<Record<string, string>>(
    ...['text/markdown', '*/*;q=0', ',,;;=', 'a'.repeat(3000)].map((accept) => ({ accept })),
    ...['*', 'W/"', '"x', ',', '"'.repeat(2000)].map((tag) => ({ 'if-none-match': tag })),
    { 'if-modified-since': 'never' },
    { range: 'bytes=5-1' },
    { origin: 'null' },
    { host: 'a b' },
    { 'x-forwarded-for': '1.1.1.1, \u00ff' },
    { 'x-http-method-override': 'DELETE' },
    { 'accept-encoding': 'gzip;q=x' },
    { 'content-encoding': 'gzip' },
  ),
);

/** Administrators send fields in the query string or in a body. In both at once they nearly always contradict each other. */
function fieldsOf(method: string, operation: Operation): fc.Arbitrary<Pick<GeneratedRequest, 'query' | 'body'>> {
  const query = queryOf(operation);
  const body = method === 'get' ? fc.constant(undefined) : bodyOf(operation);
  const both = fc.record({ query, body });
  if (!operation.requestBody || !operation.parameters?.some((one) => one.in === 'query')) return both;
  return fc.oneof(
    { arbitrary: fc.record({ query: fc.constant<[string, unknown][]>([]), body }), weight: 6 },
    { arbitrary: fc.record({ query, body: fc.constant(undefined) }), weight: 3 },
    both,
  );
}

/** Requests for every operation of the API document, from valid to absurd. Administrators send most of them, because they reach most code. */
export function generatedRequests({ paths }: ApiDocument): fc.Arbitrary<GeneratedRequest> {
  const each = Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]): fc.Arbitrary<GeneratedRequest> => {
      const names = [...template.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
      return fc
        .record({
          method: fc.constant(method.toUpperCase()),
          template: fc.constant(template),
          role: fc.oneof({ arbitrary: fc.constant('admin' as const), weight: 5 }, fc.constantFrom(...roles)),
          path: fc.record(Object.fromEntries(names.map((name) => [name, segment(name)]))),
          headers,
          fields: fieldsOf(method, operation),
        })
        .map(({ fields, ...request }) => ({ ...request, ...fields }));
    }),
  );
  return fc.oneof(...each);
}

/** The request as it is sent. @param idOf the id of an existing row for a field of that name */
export function wireOf(request: GeneratedRequest, idOf: (name: string, index: number) => number) {
  const last = request.template.split('/').filter((part) => !part.startsWith('{'));
  const kind = (name: string) => (name === 'id' || name === '' ? (last.findLast((part) => part !== '') ?? '') : name);
  const plain = (value: unknown, name: string): unknown => {
    if (value instanceof KnownId) return idOf(kind(name), value.index);
    if (Array.isArray(value)) return value.map((item) => plain(item, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item, key)]));
  };
  const asText = (value: unknown, name: string): string => {
    const given = plain(value, name);
    return typeof given === 'string' ? given : String(JSON.stringify(given));
  };
  const pathname = request.template.replace(/\{([^}]+)\}/g, (_, name: string) => asText(request.path[name], name));
  const query = request.query.map(([name, value]) => `${encoded(name)}=${encoded(asText(value, name))}`).join('&');
  const { type, value } = request.body ?? {};
  const isForm = type === 'application/x-www-form-urlencoded' && typeof value === 'object' && value !== null;
  const form = () =>
    Object.entries(value as object)
      .map(([name, item]) => `${encoded(name)}=${encoded(asText(item, name))}`)
      .join('&');
  const isText = typeof value === 'string' && type !== 'application/json';
  return {
    method: request.method,
    path: query === '' ? pathname : `${pathname}?${query}`,
    headers: { ...request.headers, ...(type === undefined ? {} : { 'content-type': type }) },
    body:
      request.body === undefined
        ? undefined
        : isForm
          ? form()
          : isText
            ? value.toWellFormed()
            : JSON.stringify(plain(value, '')),
  };
}
