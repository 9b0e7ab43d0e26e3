import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import openapiTypes, { astToString } from 'openapi-typescript';
import { TestServer } from '../server.ts';

const path = join(import.meta.dirname, '../../web/src/api/schema.d.ts');
const header = '// Written from /api/openapi.json, see test/web/api-types.test.ts.\n';

type Operation = { responses: Record<string, { headers?: object }> };

/** `WRITE_API_TYPES=true npm test -- test/web/api-types.test.ts` writes them anew. */
it('the types that the pages speak with are those of the API document', { timeout: 60_000 }, async () => {
  await using server = await TestServer.start();
  const document = JSON.parse(JSON.stringify(server.application.app.swagger()));
  for (const operations of Object.values<Record<string, Operation>>(document.paths)) {
    for (const { responses } of Object.values(operations)) withoutRefusals(responses);
  }
  const types = header + astToString(await openapiTypes(document, { alphabetize: false, emptyObjectsUnknown: true }));
  if (process.env['WRITE_API_TYPES'] === 'true') await writeFile(path, types);
  assert.equal(await readFile(path, 'utf8'), types);
});

/** Refusals have one shape everywhere (web/src/api/problem.ts), so their types would only be said two hundred times. */
function withoutRefusals(responses: Operation['responses']): void {
  for (const status of Object.keys(responses)) {
    if (Number(status) >= 300) delete responses[status];
    else delete responses[status]?.headers;
  }
}
