import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { suite, test } from 'node:test';
import { readContent } from '../../src/features/content/layout.ts';
import { referencedFiles } from '../../src/features/lessons/references.ts';

const content = join(import.meta.dirname, '../../content');
const lessons = join(content, 'lessons');

suite('the shipped lessons', () => {
  test('every Markdown file is the text of one theme', async () => {
    const { courses } = await readContent(content);
    const listed = courses.flatMap(({ sections }) => sections.flatMap(({ themes }) => themes.map(({ file }) => file)));
    const markdown = (await files()).filter((path) => path.endsWith('.md'));
    assert.deepEqual(markdown.sort(), listed.sort());
  });

  test('their links and pictures exist, and every picture is used', async () => {
    const present = new Set(await files());
    const missing: string[] = [];
    const used = new Set<string>();
    for (const path of present) {
      if (!path.endsWith('.md')) continue;
      for (const target of referencedFiles(await readFile(join(lessons, path), 'utf8'), path)) {
        used.add(target);
        if (!present.has(target)) missing.push(`${path} refers to ${target}`);
      }
    }
    assert.deepEqual(missing, []);
    assert.deepEqual(
      [...present].filter((path) => !path.endsWith('.md') && !used.has(path)),
      [],
    );
  });
});

async function files(): Promise<string[]> {
  const entries = await readdir(lessons, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(lessons, join(entry.parentPath, entry.name)));
}
