import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { PreparedAnswer } from '../pages/prepared-answer.ts';
import { unchanged } from '../protocol/entity-tag.ts';
import { addExamples } from './examples/add-examples.ts';
import { fieldMeanings } from './field-meanings.ts';
import { operationIdOf, ownRefusals } from './operations.ts';
import { serviceVersion } from './service-version.ts';
import { addErrorCodes, addSharedAnswers, type DocumentedOperation } from './shared-answers.ts';

const description = `A learning platform for system administration: courses, sandbox containers with a terminal, timed exams with automatic grading.

Bodies are JSON, lists are bare arrays, times are UTC in ISO 8601. Errors are \`{"detail": "one sentence"}\`: decide by the header
\`Error-Code\`, whose words the schema \`ErrorCode\` lists, and never by the sentence. A request that does not match its schema is 422
with a list of items as \`detail\`. The terminal is a WebSocket at \`/ws/terminal/{container_id}\`, whose protocol is at [/api/docs/terminal](/api/docs/terminal).
[/api/docs/errors](/api/docs/errors) explains the codes of errors.`;

/** Names the operation, and says whether it needs a body. */
function describe(method: string, path: string, operation: DocumentedOperation): void {
  operation.operationId = operationIdOf(method, path, operation);
  const refusals = ownRefusals(operation);
  if (refusals) operation.description = [operation.description, refusals].filter(Boolean).join('\n\n');
  const { requestBody, 'x-optional-body': isOptional = false } = operation;
  delete operation['x-optional-body'];
  if (!requestBody) return;
  const schemas = Object.values(requestBody.content ?? {}).map(({ schema }) => schema ?? {});
  requestBody.required = !isOptional && !schemas.some((schema) => 'x-optional' in schema);
}

/** Ways to use a route without a token. */
const others: Record<string, Record<string, string[]>[]> = { catalogue: [{}], login: [{ cookie: [] }] };

/** Adds every route registered afterwards to `/api/openapi.json`. */
export async function installOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Learning platform service', description, version: serviceVersion },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          cookie: {
            type: 'apiKey',
            in: 'cookie',
            name: 'login',
            description: 'Of the pages. Requests with an `Origin` other than the service are refused.',
          },
        },
      },
    },
    hideUntagged: true,
    transform: ({ schema, url, route }) => {
      const access = route.config?.access;
      const security = access === 'public' ? [] : [{ bearer: [] }, ...(others[access ?? ''] ?? [])];
      // Fields that a route reads from the query string or a body are listed in both places and required in neither.
      const fields = route.config?.fields as { properties?: object } | undefined;
      const parts = fields
        ? { querystring: { ...fields, required: [] }, body: { ...fields, required: [] }, 'x-optional-body': true }
        : {};
      const response = route.config?.hasEntityTag ? { response: { ...(schema.response as object), ...unchanged } } : {};
      return { schema: { ...schema, ...parts, ...response, security, 'x-access': access }, url };
    },
    transformObject: (document) => {
      const { paths = {} } = 'openapiObject' in document ? document.openapiObject : {};
      for (const [path, operations] of Object.entries(paths)) {
        for (const [method, operation] of Object.entries(operations ?? {})) {
          if (path.startsWith('/api/')) addSharedAnswers(method, operation as DocumentedOperation);
          describe(method, path, operation as DocumentedOperation);
          addErrorCodes(operation as DocumentedOperation);
        }
      }
      if (!('openapiObject' in document)) return document.swaggerObject;
      const named = nameSchemas(document.openapiObject);
      describeFields(named as Parameters<typeof describeFields>[0]);
      addExamples(named.paths ?? {});
      return named;
    },
  });
  // All routes are registered before the first request.
  const document = new PreparedAnswer('application/json; charset=utf-8', () => JSON.stringify(app.swagger()));
  app.route({
    method: 'GET',
    url: '/api/openapi.json',
    config: { access: 'public' },
    schema: { hide: true },
    handler: (request, reply) => document.send(request, reply),
  });
}

type Schema = {
  description?: string;
  $ref?: string;
  type?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  additionalProperties?: Schema | boolean;
};
type Parameter = { in?: string; name?: string; description?: string; schema?: Schema };
type Content = Record<string, { schema?: Schema }>;
type Operation = { parameters?: Parameter[]; requestBody?: { content?: Content }; responses?: Record<string, object> };
type Documented = { paths?: Record<string, object>; components?: { schemas?: Record<string, Schema> } };

const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/s$/, '');

/**
 * Adds a description to each field and parameter of an API document that has none, from the meanings of names that are the same everywhere.
 * @param document with its schemas already named
 */
function describeFields(document: Documented): void {
  const schemas = document.components?.schemas ?? {};
  const isDescribed = (schema: Schema): boolean => {
    if (schema.description !== undefined) return true;
    if (schema.$ref !== undefined) return schemas[schema.$ref.split('/').at(-1) ?? '']?.description !== undefined;
    const parts = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
    return parts.length > 0 && parts.every(isDescribed);
  };
  /** A field that can be null is described in its other part, where the readers of clients do not look. */
  const ofPart = ({ description, anyOf = [] }: Schema): string | undefined => {
    const parts = anyOf.filter(({ type }) => type !== 'null');
    return description ?? (parts.length === 1 ? parts[0]?.description : undefined);
  };
  /** @param within names of the schema and of the field whose object it is, where they exist */
  const walk = (schema: Schema | undefined, ...within: string[]): void => {
    if (schema === undefined) return;
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const keys = [...within.map((place) => `${place}.${name}`), name];
      const key = keys.find((one) => one in fieldMeanings);
      const description = isDescribed(field) ? ofPart(field) : key && fieldMeanings[key];
      if (description && schema.properties) schema.properties[name] = { ...field, description };
      walk(field, name, within.at(-1) ?? '');
    }
    for (const part of [schema.items, ...(schema.anyOf ?? [])]) walk(part, ...within);
    if (typeof schema.additionalProperties === 'object') walk(schema.additionalProperties, ...within);
  };
  for (const [name, schema] of Object.entries(schemas)) walk(schema, name);
  for (const [path, operations] of Object.entries(document.paths ?? {}))
    for (const { parameters = [], requestBody, responses = {} } of Object.values(operations) as Operation[]) {
      for (const parameter of parameters) {
        const { name = '', schema = {} } = parameter;
        const described = parameter.description ?? ofPart(schema);
        if (described !== undefined) parameter.description = described;
        if (described !== undefined || isDescribed(schema)) continue;
        const owner = path.split('/').at(path.split('/').indexOf(`{${name}}`) - 1) ?? '';
        const meaning = name === 'id' ? `The id of the ${singular(owner).replaceAll('-', ' ')}.` : fieldMeanings[name];
        if (meaning !== undefined) parameter.description = meaning;
      }
      for (const { content = {} } of [requestBody ?? {}, ...(Object.values(responses) as { content?: Content }[])])
        for (const { schema } of Object.values(content)) walk(schema);
    }
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

type Named = { paths?: object; components?: object };

/**
 * Moves each schema with a `title` to the components of an API document under that name, and replaces it by a reference. Readers
 * see each schema once, and generated code uses its name.
 * @throws Error if two different schemas have the same title
 */
export function nameSchemas<Document extends Named>(document: Document): Document {
  const named = new Map<string, string>();
  // Operations share many of their parts, such as the answers of refusals. Written out they are twenty megabytes.
  const known = new Map<object, Json>();
  const replace = (value: Json): Json => {
    if (value === null || typeof value !== 'object') return value;
    const before = known.get(value);
    if (before !== undefined) return before;
    const replaced = Array.isArray(value) ? value.map(replace) : name(copy(value));
    known.set(value, replaced);
    return replaced;
  };
  /** Without what JSON has no form for. Properties under symbols, which are no part of a document, are left out as well. */
  const copy = (value: { [key: string]: Json }) => {
    const result: { [key: string]: Json } = {};
    for (const [key, part] of Object.entries(value)) if (part !== undefined) result[key] = replace(part);
    return result;
  };
  const name = (schema: { [key: string]: Json }): Json => {
    const { title } = schema;
    // In a schema `title` is a string. A property named `title` is a schema itself.
    if (typeof title !== 'string' || !('type' in schema)) return schema;
    const text = JSON.stringify(schema);
    const before = named.get(title);
    if (before !== undefined && before !== text) throw new Error(`Two schemas are called ${title}`);
    named.set(title, text);
    return { $ref: `#/components/schemas/${title}` };
  };
  const paths = replace((document.paths ?? {}) as Json);
  const sorted = [...named].sort(([a], [b]) => (a < b ? -1 : 1));
  const schemas = Object.fromEntries(sorted.map(([title, text]) => [title, JSON.parse(text)]));
  return { ...document, paths, components: { ...document.components, schemas } };
}
