import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';

const root = join(import.meta.dirname, '..');
const documents = [
  'README.md',
  'AGENTS.md',
  'CHANGELOG.md',
  ...globSync('{docs,docs/decisions,bench,images,packages/*,tools/*,src/features/*}/*.md', { cwd: root }),
];

const read = (document: string): string => readFileSync(join(root, document), 'utf8');
const withoutCode = (text: string): string => text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '');

/** The anchors that GitHub makes of the headings. */
function anchorsOf(document: string): string[] {
  const headings = read(document)
    .replace(/```[\s\S]*?```/g, '')
    .matchAll(/^#{1,6} (.*)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('the documents', () => {
  for (const document of documents) {
    const text = read(document);
    const prose = withoutCode(text);

    it(`${document} refers to existing tests`, () => {
      const names = [...text.matchAll(/\b(?:src|test|images|bench|packages|tools)\/[\w./*-]+\.test\.ts/g)].map(
        ([name]) => name,
      );
      assert.deepEqual(
        names.filter((name) => globSync(name, { cwd: root }).length === 0),
        [],
      );
    });

    it(`${document} links to existing files and headings`, () => {
      const targets = [...prose.matchAll(/\]\(([^):]+)\)/g)].map(([, target = '']) => target);
      assert.deepEqual(
        targets.filter((target) => {
          const [path = '', anchor] = target.split('#');
          const file = path === '' ? document : join(dirname(document), path);
          if (!existsSync(join(root, file))) return true;
          return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).includes(anchor);
        }),
        [],
      );
    });
  }
});
