import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiDocument, DocumentedAnswers } from './documented-answers.ts';

const json = { 'content-type': 'application/json; charset=utf-8' };
const thing = {
  type: 'object',
  required: ['id', 'made_at'],
  properties: { id: { type: 'integer' }, made_at: { type: 'string', format: 'date-time' } },
};
const document: ApiDocument = {
  openapi: '3.1.0',
  info: {},
  components: { securitySchemes: {} },
  paths: {
    '/api/things/{id}': {
      get: {
        responses: {
          200: {
            content: { 'application/json': { schema: thing } },
            headers: { ETag: { required: true }, Age: {} },
          },
          304: {},
        },
      },
    },
    '/api/things/newest': { get: { responses: { 200: { content: { 'text/csv': {} } } } } },
  },
};
const made_at = '2026-11-20T20:16:05.123Z';
const tagged = { ...json, etag: '"1"' };

describe('answers compared with the API document', () => {
  const answers = new DocumentedAnswers(document);
  const check = (path: string, status: number, headers: Record<string, string>, body?: unknown) =>
    answers.check('GET', path, { status, headers: new Headers(headers), body });

  it('pass if they are as documented', () => {
    check('/api/things/1', 200, tagged, { id: 1, made_at });
    check('/api/things/1/?full=true', 200, tagged, { id: 1, made_at });
    check('/api/things/1', 304, {});
    check('/api/things/newest', 200, { 'content-type': 'text/csv' });
    check('/api/nothing', 404, json, { detail: 'Not Found', code: 'not_found' });
    check('/healthz', 200, json, {});
  });

  const wrong: [what: string, ...Parameters<typeof check>, words: RegExp][] = [
    ['a status', '/api/things/1', 201, tagged, { id: 1, made_at }, /answered 201, which the API document does not/],
    ['a path', '/api/nothing', 200, json, {}, /\/api\/nothing is not in the API document/],
    [
      'a content type',
      '/api/things/newest',
      200,
      json,
      {},
      /with application\/json, and the API document declares text\/csv/,
    ],
    ['content where there is none', '/api/things/1', 304, json, {}, /declares no content/],
    ['a missing field', '/api/things/1', 200, tagged, { id: 1 }, /must have required property 'made_at'/],
    ['a field too many', '/api/things/1', 200, tagged, { id: 1, made_at, secret: 1 }, /must NOT have additional/],
    ['a type', '/api/things/1', 200, tagged, { id: '1', made_at }, /data\/id must be integer/],
    ['a time', '/api/things/1', 200, tagged, { id: 1, made_at: '2026-11-20' }, /must match format/],
    ['a missing header', '/api/things/1', 200, json, { id: 1, made_at }, /without the header ETag/],
  ];
  for (const [what, path, status, headers, body, words] of wrong) {
    it(`fail on ${what} that the document does not have`, () => {
      assert.throws(() => check(path, status, headers, body), words);
    });
  }

  it('are compared with the most specific operation', () => {
    assert.equal(answers.operationOf('GET', '/api/things/newest')?.name, 'GET /api/things/newest');
    assert.equal(answers.operationOf('GET', '/api/things/7')?.name, 'GET /api/things/{id}');
    assert.equal(answers.operationOf('POST', '/api/things/7'), undefined);
  });
});
