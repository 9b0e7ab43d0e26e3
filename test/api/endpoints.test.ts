import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Endpoint, operationsOf, readEndpoints, writeEndpoints } from '../endpoints.ts';
import { TestServer } from '../server.ts';

describe('the page of all endpoints', () => {
  let endpoints: Endpoint[];
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    const calls = process.env['ENDPOINTS_FROM'];
    if (calls) assert.deepEqual(writeEndpoints((await server.get('/api/openapi.json')).body, calls), []);
    endpoints = readEndpoints();
  });
  after(() => server[Symbol.asyncDispose]());

  it('names each operation of the API document once, with who may call it, and no other', async () => {
    const operations = operationsOf((await server.get('/api/openapi.json')).body);
    const listed = endpoints.map(({ operation, access }) => `${operation} ${access}`);
    assert.deepEqual(listed.sort(), [...operations].map((entry) => entry.join(' ')).sort());
  });

  it('names tests that there are', () => {
    const sources = new Map<string, string>();
    for (const { file, test, operation } of endpoints) {
      const source = sources.get(file) ?? readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
      sources.set(file, source);
      // Some tests are made in a loop, with the case at the end of their name.
      const words = test.replaceAll("'", "\\'");
      const isThere =
        [test, words].some((name) => source.includes(name)) || source.includes(`${test.split(':', 1)[0]}: $`);
      assert.ok(isThere, `${operation}: there is no test "${test}" in ${file}`);
    }
  });
});
