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

  it('is the exit status, which is no part of the output, where the task says so', () => {
    const by = (output: string, run: Partial<ScriptRun> = {}) =>
      verdictOf({ output, isTruncated: false, ending: 'exit', ...run }, limits, 'exit-status');
    assert.deepEqual(by('\n0\n'), { passed: true, output: '' });
    assert.deepEqual(by('fine\n\n0\n'), { passed: true, output: 'fine' });
    assert.deepEqual(by('fine\n0\n'), { passed: true, output: 'fine' });
    assert.deepEqual(by('PASS\n\n3\n'), { passed: false, output: 'PASS\n[exit status 3]' });
    assert.deepEqual(by('- no\nFAIL\n\n0\n'), { passed: false, output: '- no\nFAIL' });
    assert.deepEqual(by('\n0\n\n- stopped\nFAIL\n'), { passed: false, output: '\n0\n\n- stopped\nFAIL' });
    assert.equal(by('\n0\n', { ending: 'timeout' }).passed, false);
    assert.deepEqual(by('PASS\n'), { passed: false, output: 'PASS\n[no verdict: there is no exit status]' });
  });

  it('is the last line OK or NO where the task says so', () => {
    const by = (output: string) => verdictOf({ output, isTruncated: false, ending: 'exit' }, limits, 'ok');
    assert.deepEqual(by('x\nOK\n'), { passed: true, output: 'x\nOK' });
    assert.deepEqual(by('NO\n'), { passed: false, output: 'NO' });
    for (const output of ['PASS', 'OK ', '0', ''])
      assert.deepEqual(by(output), {
        passed: false,
        output: `${output ? `${output}\n` : ''}[no verdict: the last line is neither OK nor NO]`,
      });
  });
});
