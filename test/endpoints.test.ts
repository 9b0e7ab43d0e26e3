import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { documentOfRoutes } from '../web/routes-document.ts';
import type { ApiDocument } from './documented-answers.ts';

const path = join(import.meta.dirname, '../docs/endpoints.md');

it('docs/endpoints.md lists every operation; WRITE_DOCUMENTS=true makes its tables from the API document', async () => {
  const text = readFileSync(path, 'utf8');
  const tables = tablesOf((await documentOfRoutes()) as ApiDocument);
  const made = `${text.slice(0, text.indexOf('\n## Operations'))}\n## Operations\n${tables}`;
  if (process.env['WRITE_DOCUMENTS'] === 'true') writeFileSync(path, made);
  else assert.equal(text, made);
});

/** A table for each tag. */
function tablesOf({ paths }: ApiDocument): string {
  const tables = new Map<string, string>();
  for (const [address, methods] of Object.entries(paths))
    for (const [method, { summary, tags: [tag = ''] = [], 'x-access': access }] of Object.entries(methods)) {
      assert.ok(summary && access && tag, `${method} ${address}`);
      const row = `\`${method.toUpperCase()} ${address}\` | ${access} | ${summary}\n`;
      tables.set(tag, `${tables.get(tag) ?? `\n### ${tag}\n\noperation | who | what\n---|---|---\n`}${row}`);
    }
  return [...tables.values()].join('');
}
