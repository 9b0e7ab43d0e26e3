import assert from 'node:assert/strict';
import { typesForPages } from '../../web/page-types.ts';
import { documentOfRoutes } from '../../web/routes-document.ts';
import { itLong } from '../rounds.ts';
import { TestServer } from '../server.ts';

itLong(
  'the types of the pages, made without a database, are those of a running service',
  { timeout: 60_000 },
  async () => {
    await using server = await TestServer.start();
    const types = await typesForPages(server.application.app.swagger());
    assert.match(types, /^export interface paths \{/m);
    assert.equal(await typesForPages(await documentOfRoutes()), types);
  },
);
