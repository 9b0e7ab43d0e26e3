import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ScriptRun } from '../../../packages/ssh/container-shell.ts';
import type { VerdictKind } from '../../database/tables.ts';
import { verdictOf } from './verdict.ts';

const limits = { seconds: 30, outputBytes: 65_536 };
const verdict = (
  output: string,
  run: Partial<ScriptRun> = {},
  kind: VerdictKind = 'pass',
  has_partial_credit = false,
) => verdictOf({ output, isTruncated: false, ending: 'exit', ...run }, limits, { verdict: kind, has_partial_credit });
const codesOf = ({ remark_codes }: ReturnType<typeof verdict>) => remark_codes?.map(({ code }) => code) ?? null;
/** The output is that of the script, whatever the verdict. */
function expect(output: string, passed: boolean, codes: string[] | null, run: Partial<ScriptRun> = {}) {
  const found = verdict(output, run);
  assert.deepEqual([found.passed, found.output, codesOf(found)], [passed, output, codes]);
}

describe('the verdict', () => {
  for (const output of ['PASS', 'PASS\n', 'checking\nPASS\n', 'FAIL\nPASS', '\nPASS\n', '\uFFFD\r\nPASS'])
    it(`is PASS for ${JSON.stringify(output)}`, () => expect(output, true, null));

  const failing: [string, string | null][] = [
    ['FAIL', null],
    ['FAIL\n', null],
    ['PASS\nFAIL\n', null],
    ['', 'verdict_missing'],
    ['\n', 'verdict_missing'],
    ['PASS ', 'verdict_inexact'],
    [' PASS', 'verdict_inexact'],
    ['PASS\n\n', 'verdict_inexact'],
    ['PASS\r\n', 'verdict_inexact'],
    ['FAIL\r\n', 'verdict_inexact'],
    ['PASS\r', 'verdict_inexact'],
    ['PASS\t\n', 'verdict_inexact'],
    ['PASS\u2028', 'verdict_inexact'],
    ['\uFEFFPASS', 'verdict_inexact'],
    ['xPASS', 'verdict_missing'],
    ['PASSx', 'verdict_missing'],
    ['pass', 'verdict_missing'],
    ['PASS!', 'verdict_missing'],
    ['PASS\nbye\n', 'verdict_missing'],
    ['ＰＡＳＳ', 'verdict_missing'],
  ];
  for (const [output, code] of failing)
    it(`is FAIL for ${JSON.stringify(output)}`, () => expect(output, false, code === null ? null : [code]));

  it('is a part of the points by a last line SCORE k/n, where the task allows it', () => {
    const scored = (output: string, run: Partial<ScriptRun> = {}) => verdict(output, run, 'pass', true);
    for (const [line, earned, of] of [
      ['SCORE 2/5', 2, 5],
      ['SCORE 0/5\n', 0, 5],
      ['- a hint\nSCORE 05/7\n', 5, 7],
    ] as const) {
      const { passed, part, remark, output } = scored(line);
      assert.deepEqual([passed, part, remark, output], [false, { earned, of }, null, line]);
    }
    assert.deepEqual([scored('SCORE 5/5').passed, scored('SCORE 5/5').part], [true, { earned: 5, of: 5 }]);
    assert.deepEqual([scored('PASS').passed, scored('PASS').part, scored('FAIL').passed], [true, undefined, false]);
    for (const line of [
      'SCORE 6/5',
      'SCORE 0/0',
      'SCORE -1/5',
      'SCORE 1.5/5',
      'SCORE 1/5 ',
      'SCORE 1',
      'SCORE 1/1000000',
    ])
      assert.deepEqual([scored(line).part, codesOf(scored(line))], [undefined, ['score_invalid']], line);
    for (const run of [
      { ending: 'timeout' },
      { ending: 'killed' },
      { ending: 'held' },
      { reasons: ['no room'] },
    ] as const)
      assert.equal(
        scored('SCORE 5/5', { ...run, ...('reasons' in run ? { reasons: [...run.reasons] } : {}) }).part,
        undefined,
      );
    for (const line of ['SCORE 2/5', 'SCORE 5/5'])
      assert.deepEqual([verdict(line).passed, codesOf(verdict(line))], [false, ['score_not_allowed']]);
  });

  it('is FAIL with a remark if the script did not end by itself after a PASS', () => {
    expect('PASS\n', false, ['check_timeout'], { ending: 'timeout' });
    expect('PASS\n', false, ['check_held'], { ending: 'held' });
    expect('PASS\n', false, ['check_killed'], { ending: 'killed' });
    assert.equal(
      verdict('PASS\n', { ending: 'timeout' }).remark,
      'No verdict: the check was stopped after 30 seconds.',
    );
  });

  it('is FAIL with the reasons for which functions of the prologue gave up', () => {
    expect('PASS\n', false, ['check_gave_up', 'check_gave_up'], { reasons: ['one', 'another'] });
    assert.equal(
      verdict('PASS', { reasons: ['one', 'another'] }).remark,
      'The check was ended: one. The check was ended: another.',
    );
  });

  it('has a remark on output that was cut, for any verdict', () => {
    expect('tail\nPASS\n', true, ['output_cut'], { isTruncated: true });
    expect('tail\nFAIL\n', false, ['output_cut'], { isTruncated: true });
    expect('tail', false, ['verdict_missing', 'output_cut'], { isTruncated: true });
    assert.equal(verdict('PASS', { isTruncated: true }).remark, 'The output was longer; its last 64 KiB are shown.');
  });

  it('keeps the end of the output within its limit, and splits no character', () => {
    const whole = `${'x'.repeat(limits.outputBytes - 5)}\nPASS`;
    expect(whole, true, null);
    for (const output of ['\uFFFD'.repeat(limits.outputBytes), `${'я'.repeat(limits.outputBytes / 2)}\nPASS\n`]) {
      const { output: shown, passed, remark_codes } = verdict(output);
      const bytes = Buffer.byteLength(shown);
      assert.ok(bytes <= limits.outputBytes && bytes > limits.outputBytes - 4, String(bytes));
      assert.ok(output.endsWith(shown));
      assert.equal(passed, output.endsWith('PASS\n'));
      assert.equal(remark_codes?.at(-1)?.code, 'output_cut');
    }
  });

  it('is the exit status, which is no part of the output, where the task says so', () => {
    const by = (output: string, run: Partial<ScriptRun> = {}) => {
      const found = verdict(output, run, 'exit-status');
      return [found.passed, found.output, found.remark];
    };
    assert.deepEqual(by('\n0\n'), [true, '', null]);
    assert.deepEqual(by('fine\n\n0\n'), [true, 'fine\n', null]);
    assert.deepEqual(by('fine\n0\n'), [true, 'fine', null], 'without a newline at its end');
    assert.deepEqual(by('PASS\n\n3\n'), [false, 'PASS\n', 'The check ended with exit status 3.']);
    assert.deepEqual(by('- no\nFAIL\n\n0\n'), [false, '- no\nFAIL\n', null]);
    assert.deepEqual(by('\n0\n\n- stopped\nFAIL\n'), [false, '\n0\n\n- stopped\nFAIL\n', null], 'an older runner');
    assert.deepEqual(by('\n0\n', { reasons: ['stopped'] }), [false, '', 'The check was ended: stopped.']);
    assert.equal(by('\n0\n', { ending: 'timeout' })[0], false);
    assert.deepEqual(by('PASS\n'), [false, 'PASS\n', 'No verdict: the check has no exit status.']);
  });

  it('is the last line OK or NO where the task says so', () => {
    const by = (output: string) => verdict(output, {}, 'ok');
    assert.equal(by('x\nOK\n').passed, true);
    assert.deepEqual([by('NO\n').passed, by('NO\n').remark], [false, null]);
    for (const output of ['PASS', '0', '']) {
      assert.deepEqual(
        [by(output).passed, by(output).output, by(output).remark],
        [false, output, 'No verdict: the last line of the output is neither OK nor NO.'],
      );
    }
    assert.deepEqual(codesOf(by('OK ')), ['verdict_inexact']);
  });
});
