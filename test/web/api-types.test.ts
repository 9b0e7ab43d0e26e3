import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { TestServer } from '../server.ts';
import { typesForPages } from './page-types.ts';

const path = join(import.meta.dirname, '../../web/src/api/schema.d.ts');

/** `WRITE_API_TYPES=true npm test -- test/web/api-types.test.ts` writes them. */
it('the types of the pages are those of the API document', { timeout: 60_000 }, async () => {
  await using server = await TestServer.start();
  const types = await typesForPages(JSON.parse(JSON.stringify(server.application.app.swagger())));
  if (process.env['WRITE_API_TYPES'] === 'true') await writeFile(path, types);
  assert.equal(await readFile(path, 'utf8'), types);
});
