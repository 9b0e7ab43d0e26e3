import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';

const root = join(import.meta.dirname, '..');
const documents = [
  'README.md',
  'AGENTS.md',
  'CHANGELOG.md',
  ...globSync('{docs,docs/decisions,bench,images}/*.md', { cwd: root }),
];

describe('the documents', () => {
  for (const document of documents) {
    const text = readFileSync(join(root, document), 'utf8');
    const prose = text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '');

    it(`${document} refers to existing tests`, () => {
      const names = [...text.matchAll(/\b(?:src|test|images|bench)\/[\w./*-]+\.test\.ts/g)].map(([name]) => name);
      assert.deepEqual(
        names.filter((name) => globSync(name, { cwd: root }).length === 0),
        [],
      );
    });

    it(`${document} links to existing files`, () => {
      const targets = [...prose.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
      assert.deepEqual(
        targets.filter((target) => !existsSync(join(root, dirname(document), target))),
        [],
      );
    });
  }
});
