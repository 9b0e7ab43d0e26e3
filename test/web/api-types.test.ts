import assert from 'node:assert/strict';
import { it } from 'node:test';
import { typesForPages } from '../../web/page-types.ts';
import { documentOfRoutes } from '../../web/routes-document.ts';
import { TestServer } from '../server.ts';

it('the types of the pages, made without a database, are those of a running service', { timeout: 60_000 }, async () => {
  await using server = await TestServer.start();
  const types = await typesForPages(server.application.app.swagger());
  assert.match(types, /^export interface paths \{/m);
  assert.equal(await typesForPages(await documentOfRoutes()), types);
});
