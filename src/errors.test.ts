import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { allErrorCodes, errorCodes } from './errors.ts';

const root = join(import.meta.dirname, '..');
const entries = Object.entries(errorCodes).flatMap(([status, codes]) =>
  Object.entries(codes).map(([code, meaning]) => ({ status, code, meaning })),
);

/** Places that assign a code to an error: a class of errors.ts, or part of a list or call that ends in one. */
const uses = [
  /new (?:BadRequest|Unauthorized|Forbidden|NotFound|Conflict|TooManyRequests|Unavailable)Error\(\s*'(\w+)'/g,
  /new ServiceError\(\s*\w+,\s*'(\w+)'/g,
  // An error with a class of its own.
  /super\(\s*'([a-z_]+)',\s*'[A-Z]/g,
  /refuse\([^;]*?,\s*'(\w+)',\s*'[A-Z]/g,
  /'Error-Code': '(validation)'/g,
  // The tables of src/http/protocol/errors.ts, and of the throttle.
  /\[\d{3},\s*'(\w+)',\s*'[A-Z]/g,
  /'\d{3} [\w ]+',\s*'(\w+)',\s*'[A-Z]/g,
  /^ {2}\w+s: \['(\w+)', 'Too many /gm,
];

describe('the codes of errors', () => {
  it('are distinct words in snake_case, each with one sentence', () => {
    // What is gone: a missing resource, and what contradicts a request to use it.
    const twice = entries.filter(({ code }) => code === 'evidence_gone');
    assert.equal(allErrorCodes.length, entries.length - twice.length + 1);
    for (const { code, meaning } of entries) {
      assert.match(code, /^[a-z]+(_[a-z]+)*$/);
      assert.match(meaning, /^[A-Z][^.]*\.$/, code);
    }
  });

  it('are all used by the service', () => {
    const files = globSync('src/**/*.ts', { cwd: root }).filter((path) => !path.endsWith('.test.ts'));
    const texts = files.map((path) => readFileSync(join(root, path), 'utf8'));
    const used = texts.flatMap((text) => uses.flatMap((use) => [...text.matchAll(use)].map(([, code]) => code)));
    assert.deepEqual([...new Set(used)].sort(), allErrorCodes);
  });

  it('are listed in docs/errors.md, which WRITE_DOCUMENTS=true makes from them', () => {
    const path = join(root, 'docs/errors.md');
    const text = readFileSync(path, 'utf8');
    const lists = Object.entries(errorCodes).map(([status, codes]) => {
      const items = Object.entries(codes).map(([code, meaning]) => `- \`${code}\`: ${meaning}\n`);
      return `\n### ${status}\n\n${items.join('')}`;
    });
    const [before = '', after = ''] = text.split(/\n## Codes\n[\s\S]*?(?=\n## )/);
    const made = `${before}\n## Codes\n${lists.join('')}${after}`;
    if (process.env['WRITE_DOCUMENTS'] === 'true') writeFileSync(path, made);
    else assert.equal(text, made);
  });
});
