import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { reportOf, type TaskTrial } from '../../src/features/trials/trial.ts';
import type { Assessment } from './assessments.ts';
import { countsOf, junitOf, type Outcome, statusOf } from './report.ts';
import { TriedTasks } from './tried-tasks.ts';

const assessment = (name: string): Assessment => ({ kind: 'laboratory', name, title: name }) as unknown as Assessment;

const task = (fields: Partial<TaskTrial>): TaskTrial => ({
  ...{
    task_id: 1,
    title: 'A task',
    values: null,
    first: { passed: false, output: 'FAIL', remark: null, remark_codes: null },
    partial: null,
    solution: null,
    after: null,
  },
  ...{ opponents: [], problem: null, problem_code: null },
  ...fields,
});

const missing = task({ problem: 'There is no reference solution', problem_code: 'no_solution' });
const wrong = task({
  title: 'A <task> & "more"',
  problem: 'The check does not pass after the solution',
  problem_code: 'fails_after_solution',
  solution: { exit_status: 0, output: 'a < b\u0007' },
});
const outcome = (...tasks: TaskTrial[]): Outcome => ({
  ...{ assessment: assessment('one'), seconds: 1.5 },
  report: { is_ok: false, problem: null, problem_code: null, setup: null, tasks },
});

describe('the outcome of a trial', () => {
  it('separates what is wrong from what has no solution', () => {
    const counts = countsOf([outcome(task({}), missing, wrong)]);
    assert.deepEqual(counts, { ok: 1, withoutSolution: 1, withoutTasks: 0, wrong: 1 });
    const empty = reportOf([], new Map());
    assert.equal(empty.is_ok, false);
    const drafts = countsOf([{ assessment: assessment('one'), seconds: 0, report: empty }]);
    assert.deepEqual([drafts.withoutTasks, statusOf(drafts)], [1, 3], 'an assessment without tasks is not ok');
    assert.deepEqual([statusOf(counts), statusOf(countsOf([outcome(missing)])), statusOf(countsOf([]))], [1, 3, 0]);
  });

  it('is JUnit XML, with failures, skipped tasks and errors', () => {
    const setup = { problem_code: 'failed', problem: 'ended with status 1', output: 'no <disk>' } as const;
    const xml = junitOf([
      outcome(task({}), missing, wrong),
      {
        assessment: assessment('two'),
        seconds: 0,
        report: { is_ok: false, problem: null, problem_code: null, setup, tasks: [] },
      },
      { assessment: assessment('three'), seconds: 0, failure: 'There is no image' },
    ]);
    for (const part of [
      '<testsuites name="trials" tests="5" failures="1" errors="2" skipped="1" time="1.500">',
      '<testsuite name="laboratory one" tests="3" failures="1" errors="0" skipped="1" time="1.500">',
      '<testcase classname="laboratory.one" name="A task"/>',
      '<skipped message="There is no reference solution"/>',
      '<testcase classname="laboratory.one" name="A &lt;task&gt; &amp; &quot;more&quot;">',
      '<failure type="fails_after_solution" message="The check does not pass after the solution">at first:\nFAIL\n\nsolution:\na &lt; b\n</failure>',
      '<error message="ended with status 1">no &lt;disk&gt;</error>',
      '<error message="There is no image"/>',
    ])
      assert.ok(xml.includes(part), `${part}\n${xml}`);
  });

  it('is remembered for each version of a task', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tried-'));
    try {
      const [one, two] = ['1', '2'].map((digit) => digit.repeat(64)) as [string, string];
      const path = join(folder, 'data/tried-tasks');
      const tried = await TriedTasks.open(path);
      await tried.record([
        { digest: one, isOk: true },
        { digest: two, isOk: true },
      ]);
      await tried.record([{ digest: two, isOk: false }]);
      const again = await TriedTasks.open(path);
      assert.deepEqual([again.has(one), again.has(two)], [true, false]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
