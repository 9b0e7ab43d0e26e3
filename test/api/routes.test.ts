import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { type ApiDocument, type Operation, withoutReferences } from '../documented-answers.ts';
import { TestServer } from '../server.ts';

describe('the API document', () => {
  let server: TestServer;
  let operations: [name: string, operation: Operation][];
  let document: ApiDocument;
  before(async () => {
    server = await TestServer.start();
    document = withoutReferences((await server.get('/api/openapi.json')).body);
    operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, Operation] => [
        `${method.toUpperCase()} ${path}`,
        operation,
      ]),
    );
  });
  after(() => server[Symbol.asyncDispose]());

  /** Every route of the API that the server has, as the document would name it. */
  function registered(): string[] {
    const names: string[] = [];
    const segments: string[] = [];
    const tree = server.application.app.printRoutes();
    for (const line of tree.split('\n')) {
      const match = /^((?:│ {3}| {4})*)(?:├── |└── )(\S*)(?: \(([^)]*)\))?/.exec(line);
      if (!match) continue;
      const depth = (match[1] ?? '').length / 4;
      segments.length = depth;
      segments[depth] = line.includes('(empty root node)') ? '' : (match[2] ?? '');
      const path = segments.join('');
      if (!path.startsWith('/api/') || path.startsWith('/api/docs') || path === '/api/openapi.json') continue;
      for (const method of (match[3] ?? '')
        .split(', ')
        .filter((name) => name !== '' && name !== 'HEAD' && name !== 'OPTIONS')) {
        names.push(`${method} ${path.replace(/:([A-Za-z_]+)/g, '{$1}').replace(/\*$/, '{*}')}`);
      }
    }
    return names;
  }

  it('lists every existing route and no other', () => {
    const documented = operations.map(([name]) => name).filter((name) => name.includes(' /api/'));
    assert.ok(documented.length >= 20, `only ${documented.length}`);
    assert.deepEqual(documented.sort(), registered().sort());
  });

  it('is OpenAPI 3.1 in form', () => {
    assert.match(document.openapi, /^3\.1\.\d$/);
    assert.ok(document.components.securitySchemes);
    const references = JSON.stringify(document).match(/"\$ref":"[^"]*"/g) ?? [];
    for (const reference of references) assert.match(reference, /"#\/components\//);
    for (const [name, { parameters = [], responses }] of operations) {
      const inPath = [...name.matchAll(/\{([^}]+)\}/g)].map(([, parameter]) => parameter ?? '');
      const declared = parameters.filter((parameter) => parameter.in === 'path');
      assert.deepEqual(declared.map((parameter) => parameter.name).sort(), inPath.sort(), name);
      for (const parameter of declared) assert.equal(parameter.required, true, `${name}: ${parameter.name}`);
      const keys = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      assert.equal(new Set(keys).size, keys.length, name);
      for (const [status, response] of Object.entries(responses)) {
        assert.match(status, /^([1-5]\d\d|default)$/);
        assert.equal(typeof response.description, 'string', `${name} ${status}`);
      }
    }
  });

  it('names the schema of each JSON body', () => {
    for (const [name, { requestBody }] of operations) {
      const schema = requestBody?.content['application/json']?.schema as { title?: string } | undefined;
      if (schema) assert.ok(schema.title, `${name}: the schema of its body has no title`);
    }
  });

  it('holds schemas that are JSON Schema', () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    for (const [name, { parameters = [], requestBody, responses }] of operations) {
      const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)];
      const schemas = [...contents.flatMap((content) => Object.values(content ?? {})), ...parameters].map(
        ({ schema }) => schema,
      );
      for (const schema of schemas) {
        if (schema) assert.ok(ajv.validateSchema(schema), `${name}: ${ajv.errorsText()}`);
      }
    }
  });

  it('describes every operation, its tag and its answers', () => {
    for (const [name, { summary, tags, security, responses }] of operations) {
      assert.ok(summary && summary.length > 3, `${name} has no summary`);
      assert.ok(tags && tags.length > 0, `${name} has no tag`);
      assert.ok(Array.isArray(security), `${name} does not say who may`);
      const statuses = Object.keys(responses);
      assert.ok(
        statuses.some((status) => /^(?:2|303)/.test(status)),
        `${name} has no answer`,
      );
      const isGuarded = name.includes(' /api/') && security.length > 0;
      if (isGuarded) assert.ok(statuses.includes('401'), `${name} does not tell of 401`);
      if (name.includes(' /api/admin/')) assert.ok(statuses.includes('403'), `${name} does not tell of 403`);
      if (name.includes(' /api/')) assert.ok(statuses.includes('422'), `${name} does not tell of 422`);
      assert.doesNotMatch(JSON.stringify(Object.values(responses)), /password_hash|tokens_valid_from/, name);
    }
  });

  it('states the access of each operation correctly', async () => {
    const { token } = await server.user();
    const isPublic = [
      ...['GET /api/auth/registration', 'POST /api/auth/register', 'POST /api/auth/login'],
      ...['POST /api/auth/invitation', 'GET /api/catalogue', 'GET /api/site'],
      ...['GET /api/certificates/{certificate}', 'GET /api/certificates/status/{list}'],
      ...['POST /api/auth/password/forgot', 'POST /api/auth/password/reset', 'POST /api/auth/email/confirm'],
      ...['POST /api/auth/passkeys/login', 'POST /api/auth/passkeys/login/options'],
      ...['GET /api/lti/login', 'POST /api/lti/login', 'POST /api/lti/launch', 'POST /api/lti/session'],
      ...['GET /api/lti/keys', 'GET /api/lti/register'],
      ...['GET /api/auth/providers', 'POST /api/hooks/content/{id}'],
      ...['login', 'callback', 'logout'].map((act) => `GET /api/auth/providers/{slug}/${act}`),
    ];
    for (const [name, { security }] of operations) {
      const [method = '', template = ''] = name.split(' ');
      if (!template.startsWith('/api/')) continue;
      assert.equal(security?.length === 0, isPublic.includes(name), name);
      if (isPublic.includes(name)) continue;
      const path = template.replace(/\{[^}]+\}/g, '1');
      for (const given of [undefined, 'not.a.token']) {
        const answer = await server.request(method, path, { token: given });
        assert.equal(answer.status, 401, `${name} answered ${answer.status}`);
        assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
      }
      if (template.startsWith('/api/admin/')) {
        const { status, body, code } = await server.request(method, path, { token });
        assert.deepEqual([status, code, body], [403, 'admin_required', { detail: 'Admin access required' }], name);
      }
    }
  });
});
