import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const root = join(import.meta.dirname, '..');
const limit = 40;

type LongTest = { place: string; lines: number; hasReason: boolean };

/**
 * The tests of a file that take more lines than `limit`. The formatter puts a test's end where its line begins. A reason is a comment in the
 * line above that begins with `Long:`.
 */
function longTests(path: string, text: string): LongTest[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const indent = /^( *)(it|test|itInRounds|itLong|itInFull)\(/.exec(line)?.[1];
    if (indent === undefined || line.endsWith(');')) return [];
    const end = lines.findIndex(
      (other, at) => at > index && /^( *)[})\]]/.exec(other)?.[1] === indent && other.endsWith(');'),
    );
    const length = end - index + 1;
    const hasReason = /^ *\/\/ Long: \S/.test(lines[index - 1] ?? '');
    return length > limit ? [{ place: `${path}:${index + 1}`, lines: length, hasReason }] : [];
  });
}

describe('a test', () => {
  it(`of more than ${limit} lines has its reason in a comment above it`, () => {
    const paths = globSync('{src,packages,tools,test,images,bench}/**/*.test.ts', { cwd: root });
    const found = paths.flatMap((path) => longTests(path, readFileSync(join(root, path), 'utf8')));
    const without = found.filter(({ hasReason }) => !hasReason).sort((a, b) => b.lines - a.lines);
    assert.deepEqual(
      without,
      [],
      'Split them, or say above them why not: // Long: one journey, whose steps stand on each other.',
    );
  });

  it('is found to be too long, and excused by a reason', () => {
    const text = (above: string) => `${above}\n  it('x', () => {\n${'    one();\n'.repeat(limit)}  });\n`;
    assert.deepEqual(longTests('a.test.ts', text('')), [{ place: 'a.test.ts:2', lines: limit + 2, hasReason: false }]);
    assert.equal(longTests('a.test.ts', text('  // Long: a journey.'))[0]?.hasReason, true);
    assert.deepEqual(longTests('a.test.ts', "  it('short', () => {});\n"), []);
  });
});
