import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { allErrorCodes } from '../../src/errors.ts';
import { errors as en } from '../../web/src/strings/en/errors.ts';
import { errors as ru } from '../../web/src/strings/ru/errors.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('the errors of the service on the pages', () => {
  it('have a sentence for each code in each language', () => {
    for (const { codes } of [en, ru]) assert.deepEqual(Object.keys(codes).sort(), allErrorCodes);
  });

  it('have a sentence for each type of a 422, and for each field with a rule of its own', () => {
    const source = read('src/http/validation-messages.ts');
    const used = [...source.matchAll(/\['([a-z_]+)',\s*['`]/g)].map(([, type = '']) => type);
    assert.ok(used.length > 15);
    const known = Object.keys(en.types);
    assert.deepEqual(
      used.filter((type) => type !== 'value_error' && !known.includes(type)),
      [],
    );
    assert.deepEqual(Object.keys(ru.types), known);
    assert.deepEqual(Object.keys(ru.values), Object.keys(en.values));
  });

  it('exist in Russian and English', () => {
    for (const part of ['codes', 'types', 'values'] as const)
      for (const [name, text] of Object.entries(ru[part])) assert.match(text, /^[А-Я«].*[а-я].*\.$/, name);
  });

  it("are never distinguished by the service's sentences", () => {
    const reading =
      /\b(detail|msg|message|problem)\b\)?\??\.(includes|startsWith|endsWith|indexOf|match|search|split|slice)\(/;
    const testing = /\.(test|exec)\((\w+\.)*(detail|msg|message|problem)\)/;
    const files = globSync('web/src/**/*.{ts,tsx}', { cwd: root });
    assert.ok(files.length > 100);
    assert.deepEqual(
      files.filter((path) => reading.test(read(path)) || testing.test(read(path))),
      [],
    );
  });
});
