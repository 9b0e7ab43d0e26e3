import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { PreparedAnswer } from '../pages/prepared-answer.ts';
import { unchanged } from '../protocol/entity-tag.ts';
import { describeFields } from './described-fields.ts';
import { addExamples } from './examples/add-examples.ts';
import { nameSchemas } from './named-schemas.ts';
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
