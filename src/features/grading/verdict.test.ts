import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ScriptRun } from '../containers/container-shell.ts';
import { verdictOf } from './verdict.ts';

const limits = { seconds: 30, outputBytes: 65_536 };
const verdict = (output: string, run: Partial<ScriptRun> = {}) =>
  verdictOf({ output, isTruncated: false, ending: 'exit', ...run }, limits);
const neither = '[no verdict: the last line is neither PASS nor FAIL]';

describe('the verdict', () => {
  const passing: [string, string][] = [
    ['PASS', 'PASS'],
    ['PASS\n', 'PASS'],
    ['checking\nPASS\n', 'checking\nPASS'],
    ['FAIL\nPASS', 'FAIL\nPASS'],
    ['\nPASS\n', '\nPASS'],
  ];
  for (const [output, shown] of passing) {
    it(`is PASS for ${JSON.stringify(output)}`, () =>
      assert.deepEqual(verdict(output), { passed: true, output: shown }));
  }

  const failing: [string, string][] = [
    ['FAIL', 'FAIL'],
    ['FAIL\n', 'FAIL'],
    ['PASS\nFAIL\n', 'PASS\nFAIL'],
    ['', neither],
    ['\n', neither],
    ['PASS ', `PASS \n${neither}`],
    [' PASS', ` PASS\n${neither}`],
    ['PASS\n\n', `PASS\n\n${neither}`],
    ['PASS\r\n', `PASS\r\n${neither}`],
    ['PASS\t\n', `PASS\t\n${neither}`],
    ['xPASS', `xPASS\n${neither}`],
    ['PASSx', `PASSx\n${neither}`],
    ['pass', `pass\n${neither}`],
    ['PASS!', `PASS!\n${neither}`],
    ['PASS\nbye\n', `PASS\nbye\n${neither}`],
    ['PASS\u2028', `PASS\u2028\n${neither}`],
    ['\uFEFFPASS', `\uFEFFPASS\n${neither}`],
    ['ＰＡＳＳ', `ＰＡＳＳ\n${neither}`],
  ];
  for (const [output, shown] of failing) {
    it(`is FAIL for ${JSON.stringify(output)}`, () =>
      assert.deepEqual(verdict(output), { passed: false, output: shown }));
  }

  it('is FAIL with a reason if the time ran out after a PASS', () => {
    assert.deepEqual(verdict('PASS\n', { ending: 'timeout' }), {
      passed: false,
      output: 'PASS\n[no verdict: the check was stopped after 30 seconds]',
    });
  });

  it('is FAIL with a reason if the script was killed after a PASS', () => {
    assert.deepEqual(verdict('PASS\n', { ending: 'killed' }), {
      passed: false,
      output: 'PASS\n[no verdict: the check was killed from inside the container]',
    });
  });

  it('notes truncated output at the top for any verdict', () => {
    const cut = '[the output was longer; these are its last 64 KiB]';
    assert.deepEqual(verdict('tail\nPASS\n', { isTruncated: true }), { passed: true, output: `${cut}\ntail\nPASS` });
    assert.deepEqual(verdict('tail\nFAIL\n', { isTruncated: true }), { passed: false, output: `${cut}\ntail\nFAIL` });
  });

  it('is within its limit including notes, and splits no character', () => {
    const cut = '[the output was longer; these are its last 64 KiB]';
    for (const [output, isTruncated] of [
      [`${'x'.repeat(limits.outputBytes - 5)}\nPASS`, true],
      [`${'я'.repeat(limits.outputBytes / 2 - 3)}\nPASS\n`, true],
      ['x'.repeat(limits.outputBytes), false],
      ['\uFFFD'.repeat(limits.outputBytes), false],
    ] as const) {
      const { output: shown } = verdict(output, { isTruncated });
      const bytes = Buffer.byteLength(shown);
      assert.ok(bytes <= limits.outputBytes && bytes > limits.outputBytes - 4, String(bytes));
      assert.ok(shown.startsWith(`${cut}\n${output[0]}`), shown.slice(0, 80));
      assert.ok(shown.endsWith(isTruncated ? '\nPASS' : neither), shown.slice(-80));
    }
    const whole = `${'x'.repeat(limits.outputBytes - 5)}\nPASS`;
    assert.deepEqual(verdict(whole), { passed: true, output: whole });
  });
});
