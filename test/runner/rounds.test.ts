import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { hasLongTests } from './long-files.ts';

const root = join(import.meta.dirname, '../..');
const kinds = /^ *(itInRounds|itLong|describeLong|itInFull)\(/m;

/** A test file with one test of each kind. */
const example = `
import { describe, it } from 'node:test';
import { describeLong, itInFull, itInRounds, itLong, rounds } from ${JSON.stringify(import.meta.resolve('../rounds.ts'))};
const done = () => {};
describe('a suite', () => {
  it('ordinary', done);
  itInRounds('in rounds: ' + rounds(3, 9), done);
  itLong('long', done);
  itInFull('in full', done);
});
describe('an ordinary suite', () => it('of ordinary tests', done));
describeLong('a long suite', () => it('ordinary in a long suite', done));
`;

/** The names of the tests that a process runs, without those of suites. */
async function namesOf(asked: string | undefined): Promise<string[]> {
  const { NODE_TEST_CONTEXT: _context, RELIABILITY_ROUNDS: _rounds, TEST_PROFILE: _profile, ...env } = process.env;
  const flags = asked === undefined ? [] : ['--test-only'];
  const folder = await mkdtemp(join(tmpdir(), 'rounds-'));
  await using _folder = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
  const file = join(folder, 'example.mjs');
  await writeFile(file, example);
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '--test-reporter=tap', file], {
    env: asked === undefined ? env : { ...env, RELIABILITY_ROUNDS: asked },
  });
  return [...stdout.matchAll(/^ +ok \d+ - (.*)$/gm)].map(([, name = '']) => name);
}

describe('the tests of each command', () => {
  it('are, of npm test, the ordinary ones and one round of those in rounds', async () => {
    assert.deepEqual(await namesOf(undefined), ['ordinary', 'in rounds: 1', 'of ordinary tests']);
  });

  it('are, of npm run test:long, the long ones and a few rounds of those in rounds', async () => {
    assert.deepEqual(await namesOf('long'), ['in rounds: 3', 'long', 'ordinary in a long suite']);
  });

  it('are, of a full run, all but the ordinary ones', async () => {
    assert.deepEqual(await namesOf('full'), ['in rounds: 9', 'long', 'in full', 'ordinary in a long suite']);
  });
});

describe('a test file', () => {
  const texts = globSync('{src,packages,tools,test,images,bench}/**/*.test.ts', {
    cwd: root,
    exclude: ['test/runner/rounds.test.ts'],
  }).map((path) => [path, readFileSync(join(root, path), 'utf8')] as const);

  it('with long tests is one of npm run test:long', () => {
    const missed = texts.filter(([, text]) => kinds.test(text) && !hasLongTests(text));
    assert.deepEqual(
      missed.map(([path]) => path),
      [],
    );
  });

  it('has rounds only in tests that npm run test:long runs', () => {
    assert.deepEqual(
      texts
        .filter(([, text]) => hasLongTests(text))
        .flatMap(([path, text]) => ordinaryWithRounds(text).map((line) => `${path}:${line}`)),
      [],
    );
    const test = (name: string): string => `${name}('a', () => {\n  rounds(1, 2);\n});`;
    assert.deepEqual(ordinaryWithRounds([test('it'), test('itInRounds'), test('describeLong')].join('\n')), [1]);
  });

  it('has no ordinary suite of long tests alone, whose hooks npm test would run', () => {
    const ofLongTests = ([, text]: (typeof texts)[number]): boolean =>
      [...text.matchAll(/^describe\([\s\S]*?^\}/gm)].some(
        ([suite]) =>
          /^ +(before|beforeEach)\(/m.test(suite) &&
          /^ +itLong\(/m.test(suite) &&
          !/^ +(it|test|itInRounds|itInFull|describe)\(/m.test(suite),
      );
    assert.deepEqual(
      texts.filter(ofLongTests).map(([path]) => path),
      [],
    );
  });

  it('has only ordinary tests in a long suite, which Node would leave out beside marked ones', () => {
    const inLongSuites = ([, text]: (typeof texts)[number]): boolean =>
      [...text.matchAll(/^( *)describe(?:Long|InFull)(\([\s\S]*?)^\1[})]/gm)].some(([, , suite = '']) =>
        /\b(it(Long|InRounds|InFull)|describe(Long|InFull))\b/.test(suite),
      );
    assert.deepEqual(
      texts.filter(inLongSuites).map(([path]) => path),
      [],
    );
    const nested = (test: string): string => `describeLong('a', () => {\n  ${test}('b', () => {});\n});`;
    assert.deepEqual(
      ['it', 'itLong'].map((test) => inLongSuites(['', nested(test)])),
      [false, true],
    );
  });

  it('leaves the choice of long tests to test/rounds.ts', () => {
    const choosing = texts.filter(([, text]) => /env.*RELIABILITY_ROUNDS/.test(text));
    assert.deepEqual(
      choosing.map(([path]) => path),
      [],
    );
  });
});

/**
 * The lines where ordinary tests begin that use the number of rounds themselves, outside of long suites. The formatter puts the end of a test
 * where its line begins.
 */
function ordinaryWithRounds(text: string): number[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const indent = /^( *)it\(/.exec(line)?.[1];
    const suite = lines.slice(0, index + 1).findLast((above) => /^\w+\(/.test(above)) ?? '';
    if (indent === undefined || suite.startsWith('describeLong(')) return [];
    const rest = lines.slice(index + 1);
    const length = line.endsWith(');')
      ? 0
      : 1 + rest.findIndex((next) => new RegExp(`^${indent}[})\\]].*\\);$`).test(next));
    const body = [line, ...rest.slice(0, length)].join('\n');
    return /\b(rounds\(\d|isLong\b|isFull\b)/.test(body) ? [index + 1] : [];
  });
}
