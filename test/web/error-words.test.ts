import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { allErrorCodes } from '../../src/errors.ts';
import { machinePathProblems } from '../../src/features/containers/file-rules.ts';
import { repositoryProblems } from '../../src/features/lesson-repositories/problems.ts';
import { lessonPathProblems } from '../../src/features/lessons/lesson-path.ts';
import { importProblems } from '../../src/features/tables/import-problems.ts';
import { fieldProblems } from '../../src/values/coded-problem.ts';
import { remarkTexts } from '../../src/values/grading-remark.ts';
import { outlineProblems } from '../../tools/conversion/markdown/source.ts';
import { codedText } from '../../web/src/strings/coded-text.ts';
import { attempts as deAttempts } from '../../web/src/strings/de/attempts.ts';
import { errors as de } from '../../web/src/strings/de/errors.ts';
import { imports as deImports } from '../../web/src/strings/de/imports.ts';
import { problems as deProblems } from '../../web/src/strings/de/problems.ts';
import { refusals as deRefusals } from '../../web/src/strings/de/refusals.ts';
import { attempts as enAttempts } from '../../web/src/strings/en/attempts.ts';
import { errors as en } from '../../web/src/strings/en/errors.ts';
import { imports as enImports } from '../../web/src/strings/en/imports.ts';
import type { Strings } from '../../web/src/strings/en/index.ts';
import { problems as enProblems } from '../../web/src/strings/en/problems.ts';
import { refusals as enRefusals } from '../../web/src/strings/en/refusals.ts';
import { attempts as ruAttempts } from '../../web/src/strings/ru/attempts.ts';
import { errors as ru } from '../../web/src/strings/ru/errors.ts';
import { imports as ruImports } from '../../web/src/strings/ru/imports.ts';
import { problems as ruProblems } from '../../web/src/strings/ru/problems.ts';
import { refusals as ruRefusals } from '../../web/src/strings/ru/refusals.ts';
import { itemText } from '../../web/src/ui/lists/item-text.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('the errors of the service on the pages', () => {
  it('have a sentence for each code in each language', () => {
    for (const codes of [
      { ...en.codes, ...enRefusals },
      { ...de.codes, ...deRefusals },
      { ...ru.codes, ...ruRefusals },
    ])
      assert.deepEqual(Object.keys(codes).sort(), allErrorCodes);
  });

  it('have a sentence for each type of a 422, and for each field with a rule of its own', () => {
    const source = read('src/http/protocol/validation-messages.ts');
    const used = [...source.matchAll(/\['([a-z_]+)',\s*['`]/g)].map(([, type = '']) => type);
    assert.ok(used.length > 15);
    const known = Object.keys(en.types);
    assert.deepEqual(
      used.filter((type) => type !== 'value_error' && !known.includes(type)),
      [],
    );
    for (const { types, values } of [de, ru]) {
      assert.deepEqual(Object.keys(types), known);
      assert.deepEqual(Object.keys(values), Object.keys(en.values));
    }
  });

  it('have a sentence for each problem of an imported file, with the same values, and are documented', () => {
    const values = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();
    const rows = read('docs/errors.md').split('\n');
    for (const { problems } of [enImports, deImports, ruImports])
      assert.deepEqual(Object.keys(problems), Object.keys(importProblems));
    for (const [code, text] of Object.entries(importProblems)) {
      assert.ok(rows.includes(`- \`${code}\`: ${text}`), code);
      for (const { problems } of [enImports, deImports, ruImports])
        assert.deepEqual(values(problems[code as keyof typeof importProblems]), values(text), code);
    }
  });

  it('have a sentence for each remark of a result, with the same values, and are documented', () => {
    const values = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();
    const rows = read('docs/errors.md').split('\n');
    for (const { remarks } of [enAttempts, deAttempts, ruAttempts])
      assert.deepEqual(Object.keys(remarks), Object.keys(remarkTexts));
    for (const [code, text] of Object.entries(remarkTexts)) {
      assert.ok(rows.includes(`- \`${code}\`: ${text}`), code);
      for (const { remarks } of [enAttempts, deAttempts, ruAttempts])
        assert.deepEqual(values(remarks[code as keyof typeof remarkTexts]), values(text), code);
    }
  });

  it('have a sentence for each problem with a code, with no other values than those of the service, and are documented', () => {
    const tables = [fieldProblems, machinePathProblems, lessonPathProblems, repositoryProblems, outlineProblems];
    const all: Record<string, string> = Object.assign({}, ...tables);
    assert.equal(
      Object.keys(all).length,
      tables.flatMap((table) => Object.keys(table)).length,
      'a code is in two tables',
    );
    const rows = read('docs/errors.md').split('\n');
    for (const problems of [enProblems, deProblems, ruProblems])
      assert.deepEqual(Object.keys(problems), Object.keys(all));
    for (const [code, text] of Object.entries(all)) {
      assert.ok(rows.includes(`- \`${code}\`: ${text}`), code);
      for (const problems of [enProblems, deProblems, ruProblems]) {
        const given =
          code === 'contents_unreadable' ? ['{kind}', '{error}'] : [...text.matchAll(/\{\w+\}/g)].map(String);
        const shown = problems[code as keyof typeof enProblems];
        for (const [value] of shown.matchAll(/\{\w+\}/g)) assert.ok(given.includes(value), `${code}: ${value}`);
      }
    }
  });

  it("are shown by their code, or in the service's words where the code or its sentence is not there", () => {
    const loaded = { errors: ru, problems: ruProblems } as Strings;
    const before = { errors: ru } as Strings;
    const missing = { code: 'lesson_missing', params: { name: 'a.md' } };
    assert.equal(codedText(loaded, missing, 'a.md does not exist'), 'Не вошёл файл, которого нет: a.md.');
    assert.equal(codedText(before, missing, 'a.md does not exist'), 'a.md does not exist');
    for (const code of ['of_a_newer_service', 'constructor', null, undefined])
      assert.equal(codedText(loaded, { code }, 'It is so'), 'It is so');
    const item = { loc: ['body', 'user'], msg: 'Value error, it is not allowed', type: 'value_error' };
    const coded = { ...item, code: 'root_not_granted', params: { image: 'a:1' } };
    assert.match(itemText(loaded, coded), /^В образе a:1 /);
    assert.equal(itemText(before, coded), 'it is not allowed');
    assert.equal(itemText(loaded, { ...item, code: 'of_a_newer_service' }), 'it is not allowed');
    // Outside of a component, texts that are not loaded cannot be read.
    const unloaded = Object.defineProperty({ errors: ru } as Strings, 'problems', {
      get: () => assert.fail('the texts of problems are not loaded'),
    });
    assert.equal(itemText(unloaded, item), 'it is not allowed');
    const address = { loc: ['body', 'url'], msg: 'Value error, it is empty', type: 'value_error' };
    assert.equal(itemText(loaded, { ...address, code: 'address_empty' }), ruProblems.address_empty);
    assert.equal(itemText(loaded, { ...address, loc: ['body', 'email'] }), ru.values['email']);
  });

  it('are in the language that they are for', () => {
    for (const text of Object.values(ruProblems)) assert.match(text, /^[А-ЯG].*[а-я]/);
    for (const text of Object.values(enProblems)) assert.match(text, /^[A-Z{][^А-Яа-я]*$/);
    for (const texts of [ru.codes, ru.types, ru.values, ruRefusals])
      for (const [name, text] of Object.entries(texts)) assert.match(text, /^[А-Я«].*[а-я].*\.$/, name);
    for (const text of Object.values(deProblems)) assert.match(text, /^[A-ZÄÖÜ„{][^А-Яа-я]*$/);
    for (const texts of [de.codes, de.types, de.values, deRefusals])
      for (const [name, text] of Object.entries(texts)) assert.match(text, /^[A-ZÄÖÜ„][^А-Яа-я]*\.$/, name);
    const english: Record<string, string> = { ...en.codes, ...enRefusals };
    for (const [name, text] of Object.entries({ ...de.codes, ...deRefusals }))
      assert.notEqual(text, english[name], name);
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
