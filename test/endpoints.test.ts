import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { documentOfRoutes } from '../web/routes-document.ts';
import type { ApiDocument } from './documented-answers.ts';

const path = join(import.meta.dirname, '../docs/endpoints.md');

it('docs/endpoints.md lists every operation; WRITE_DOCUMENTS=true makes its lists from the API document', async () => {
  const text = readFileSync(path, 'utf8');
  const lists = listsOf((await documentOfRoutes()) as ApiDocument);
  const made = `${text.slice(0, text.indexOf('\n## Operations'))}\n## Operations\n${lists}`;
  if (process.env['WRITE_DOCUMENTS'] === 'true') writeFileSync(path, made);
  else assert.equal(text, made);
});

/** A list for each tag. Who may call is left out where every user may, and where the path says it. */
function listsOf({ paths }: ApiDocument): string {
  const lists = new Map<string, string>();
  for (const [address, methods] of Object.entries(paths))
    for (const [method, { summary, tags: [tag = ''] = [], 'x-access': access }] of Object.entries(methods)) {
      assert.ok(summary && access && tag, `${method} ${address}`);
      const isPlain = access === (address.startsWith('/api/admin/') ? 'admin' : 'user');
      const who = isPlain ? '' : ` (${access})`;
      lists.set(
        tag,
        `${lists.get(tag) ?? `\n### ${tag}\n\n`}- \`${method.toUpperCase()} ${address}\`${who}: ${summary}\n`,
      );
    }
  return [...lists.values()].join('');
}
