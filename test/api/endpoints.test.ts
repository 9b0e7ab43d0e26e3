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

  it('lists each operation of the API document once, with its access', async () => {
    const operations = operationsOf((await server.get('/api/openapi.json')).body);
    const listed = endpoints.map(({ operation, access }) => `${operation} ${access}`);
    assert.deepEqual(listed.sort(), [...operations].map((entry) => entry.join(' ')).sort());
  });

  it('names existing tests', () => {
    const names = new Map<string, RegExp[]>();
    for (const { file, test, operation } of endpoints) {
      const known = names.get(file) ?? namesIn(readFileSync(join(import.meta.dirname, '../..', file), 'utf8'));
      names.set(file, known);
      assert.ok(
        known.some((name) => name.test(test)),
        `${operation}: there is no test "${test}" in ${file}`,
      );
    }
  });
});

/** The names of a file's tests. In names of generated tests, a placeholder matches any text. */
function namesIn(source: string): RegExp[] {
  const name = /\b(?:it|itInRounds|itLong|test)\(\s*(?:'((?:[^'\\]|\\.)*)'|"([^"]*)"|`([^`]*)`)/g;
  return [...source.matchAll(name)].map(([, single, double, template]) => {
    const text = single?.replaceAll("\\'", "'") ?? double ?? template ?? '';
    const literal = text.split(/\$\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${literal.join('.*')}$`);
  });
}
