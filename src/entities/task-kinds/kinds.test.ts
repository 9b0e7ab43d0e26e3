import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  completed,
  kindOf,
  ownFields,
  problemsOfTask,
  shownToStudent,
  type TaskKindName,
  variedTasks,
} from './kinds.ts';

const task = (kind: TaskKindName, fields: object) => completed({ id: 7, kind, verification_script: '', ...fields });
const graded = (kind: TaskKindName, fields: object, answer: object, hasPartialCredit = false) => {
  const given = task(kind, fields);
  return kindOf(given).grade?.(ownFields(given), answer, hasPartialCredit);
};

const four = ['a', 'b', 'c', 'd'].map((text, index) => ({ id: index + 1, text, is_correct: index < 2 }));
const several = { choices: four, is_multiple: true };

describe('a task of the kind choice', () => {
  it('gives all points for exactly the right choices, and nothing otherwise', () => {
    const passed = (...choice_ids: number[]) => graded('choice', several, { choice_ids })?.passed;
    assert.deepEqual([passed(1, 2), passed(2, 1), passed(2, 1, 1)], [true, true, true]);
    for (const ids of [[], [1], [1, 2, 3], [3, 4], [1, 3], [99]]) assert.equal(passed(...ids), false, String(ids));
  });

  it('gives with partial credit (right - wrong) / right of the points, not below 0', () => {
    const part = (...choice_ids: number[]) => graded('choice', several, { choice_ids }, true)?.part;
    assert.deepEqual(part(1), { earned: 1, of: 2 });
    assert.deepEqual(part(1, 2), { earned: 2, of: 2 });
    assert.deepEqual(part(1, 2, 3), { earned: 1, of: 2 });
    assert.deepEqual(part(1, 3), { earned: 0, of: 2 });
    assert.deepEqual(part(3, 4), { earned: 0, of: 2 });
  });

  it('says that it was not answered', () => {
    assert.equal(graded('choice', several, { choice_ids: [] })?.remark, 'Not answered.');
    assert.equal(graded('choice', several, { choice_ids: [3] })?.remark, null);
  });

  it('gives each choice an id of its own, which stays and does not tell its place', () => {
    const texts = ['yes', 'no', 'yes', 'perhaps'].map((text) => ({ text }));
    const choices = [{ id: 5, text: 'five', is_correct: true }, { id: 5, text: 'again' }, ...texts];
    const made = task('choice', { choices }).choices ?? [];
    const ids = made.map(({ id }) => id);
    assert.equal(new Set(ids).size, 6);
    assert.deepEqual(ids.slice(0, 2), [5, 6]);
    assert.deepEqual(task('choice', { choices: made }).choices, made);
    const moved = task('choice', { choices: [...choices].reverse() }).choices ?? [];
    assert.equal(moved.find(({ text }) => text === 'perhaps')?.id, made.at(-1)?.id);
  });

  it('shows students no right choice, in an order of their attempt', () => {
    const choices = Array.from({ length: 8 }, (_, index) => ({ text: `${index}`, is_correct: index === 0 }));
    const made = task('choice', { choices });
    const orders = ['1', '2', '3', '1'].map((seed) => shownToStudent(made, seed));
    for (const shown of orders) assert.doesNotMatch(JSON.stringify(shown), /is_correct/);
    const [one, two, three, again] = orders.map(({ choices: of = [] }) => of.map(({ text }) => text).join());
    assert.equal(one, again);
    assert.equal(new Set([one, two, three, '0,1,2,3,4,5,6,7']).size, 4);
  });

  it('needs at least two choices and the right number of right ones', () => {
    const problem = (fields: object) =>
      problemsOfTask({ kind: 'choice', verification_script: '', ...fields } as never).map((one) => one.problem?.code);
    assert.deepEqual(problem({}), ['choices_missing']);
    assert.deepEqual(problem({ choices: four }), ['choices_one_right']);
    assert.deepEqual(problem({ choices: four.slice(2), is_multiple: true }), ['choices_none_right']);
    for (const text of [' a', '  '])
      assert.deepEqual(problem({ ...several, choices: [...four, { text }] }), ['choices_alike'], text);
    assert.deepEqual(problem(several), []);
    assert.deepEqual(problem({ choices: four.slice(1) }), []);
  });
});

describe('a task of the kind answer', () => {
  const isRight = (fields: object, text: string) => graded('answer', fields, { text })?.passed;

  it('accepts each form, whatever letter case and blanks, unless they count', () => {
    const accepted = ['Secure Shell', 'SSH', 'Größe'];
    for (const text of ['ssh', ' SSH\n', 'secure   shell', 'SECURE\tSHELL', 'GRÖSSE'.replace('SS', 'ß'), 'Gro\u0308ße'])
      assert.equal(isRight({ accepted }, text), true, text);
    for (const text of ['', ' ', 'secureshell', 'ssh2']) assert.equal(isRight({ accepted }, text), false, text);
    assert.equal(isRight({ accepted, is_case_sensitive: true }, 'ssh'), false);
    assert.equal(isRight({ accepted, is_case_sensitive: true }, ' SSH '), true);
    assert.equal(isRight({ accepted, is_blank_sensitive: true }, 'ssh '), false);
    assert.equal(isRight({ accepted, is_blank_sensitive: true }, 'ssh'), true);
    for (const text of ['', ' ']) assert.equal(isRight({ accepted: [' '] }, text), false, 'not answered');
  });

  it('accepts numbers within the tolerance, exactly, in the ways in which they are written', () => {
    const number = { accepted: ['0.3'], is_numeric: true, tolerance: 0.1, unit: 'kg' };
    for (const text of ['0.3', '0,4', '.2', '4e-1', '+0.30 kg', '0.25kg', '0.4000'])
      assert.equal(isRight(number, text), true, text);
    for (const text of ['0.41', '0.19999999999999999999', '-0.3', '', 'kg', '0.3 g', '0.3.0', '1/3', '3e-9999', 'NaN'])
      assert.equal(isRight(number, text), false, text);
    assert.equal(isRight({ ...number, accepted: ['7', '0.3'] }, '7.1'), true, 'several');
    assert.equal(isRight({ accepted: ['10000000000000001'], is_numeric: true }, '10000000000000000'), false);
  });

  it('accepts expressions with the same values, which it never executes', () => {
    const hosts = { accepted: ['2^(32-n) - 2'], is_expression: true, unit: 'hosts' };
    for (const text of ['2^(32-n)-2', '4 * 2**(30 - N) - 2 hosts', '-2 + 2^32/2^n'])
      assert.equal(isRight(hosts, text), true, text);
    for (const text of ['', '2^(32-m)-2', '2^32', '2^(32-n', 'hosts', 'process.exit(1)', '1'.repeat(2000)])
      assert.equal(isRight(hosts, text), false, text);
    assert.equal(isRight({ ...hosts, is_case_sensitive: true }, '2^(32-N) - 2'), false);
    const problem = (accepted: string) =>
      problemsOfTask({ ...hosts, kind: 'answer', verification_script: '', accepted: [accepted] } as never).map(
        (one) => one.problem?.code,
      );
    assert.deepEqual(['n^2', '2 +', '1/0'].map(problem), [
      [],
      ['accepted_not_expression'],
      ['accepted_not_expression'],
    ]);
    const completed = kindOf({ kind: 'answer' }).complete({ ...hosts, is_numeric: true });
    assert.equal(completed['is_expression'], false, 'a number is a number');
  });

  it('needs a form, which is a number where the answer is one', () => {
    const problem = (fields: object) =>
      problemsOfTask({ kind: 'answer', verification_script: '', ...fields } as never).map((one) => one.problem?.text);
    assert.deepEqual(problem({}), ['an answer needs a form that is accepted']);
    for (const is_blank_sensitive of [false, true])
      assert.deepEqual(problem({ accepted: ['one', ' '], is_blank_sensitive }).length, 1, 'blanks alone are no form');
    assert.deepEqual(problem({ accepted: ['1', 'many'], is_numeric: true }), [
      'many is not a number such as 12, -0.5 or 1e3',
    ]);
    assert.deepEqual(problem({ accepted: ['1 kg'], is_numeric: true, unit: 'kg' }), []);
  });

  it('shows students neither the forms nor the tolerance', () => {
    const shown = shownToStudent(task('answer', { accepted: ['42'], is_numeric: true, tolerance: 1, unit: 'm' }));
    const { id: _id, kind: _kind, verification_script: _script, ...fields } = shown as Record<string, unknown>;
    assert.deepEqual(fields, {
      ...{ is_numeric: true, is_expression: false, unit: 'm', is_case_sensitive: false, is_blank_sensitive: false },
    });
  });
});

it('leaves out the fields of other kinds, and needs a script of a check alone', () => {
  const essay = task('essay', { accepted: ['x'], choices: four, path: '/x' });
  assert.deepEqual(ownFields(essay), {});
  assert.deepEqual(Object.keys(essay).toSorted(), ['id', 'kind', 'verification_script']);
  assert.deepEqual(problemsOfTask({ kind: 'check', verification_script: '' }), [
    { field: 'verification_script', problem: undefined },
  ]);
  assert.deepEqual(problemsOfTask({ kind: 'essay', verification_script: '' }), []);
  assert.equal(kindOf(task('file', { path: '/srv/report' })).needsMachine({ path: '/srv/report' }), true);
  assert.equal(kindOf(task('file', {})).needsMachine({ path: null }), false);
});

describe('tasks with parameters', () => {
  const parameters = { n: { int: [7, 8] }, user: { choice: ['a_b', 'c  d'] } };
  const variant = { seed: 'x.0', values: { '1': { n: '8', user: 'c  d' }, '2': { n: '7', user: 'a_b' } } };
  const task = { parameters, verification_script: '', title: 'T {{n}}', description: '{{user}}' };

  it('have their values in the fields of each kind', () => {
    const tasks = [
      { ...task, id: 1, kind: 'answer' as const, accepted: ['{{user}}', 'x'], unit: '{{n}}' },
      { ...task, id: 2, kind: 'choice' as const, choices: [{ id: 4, text: '{{user}}', is_correct: true }] },
      { ...task, id: 2, kind: 'file' as const, path: '/home/{{user}}' },
      { ...task, id: 3, kind: 'essay' as const },
    ];
    const [answer, choice, file, essay] = variedTasks(tasks as never, variant) as Record<string, unknown>[];
    assert.deepEqual([answer?.['accepted'], answer?.['unit'], answer?.['title']], [['c  d', 'x'], '8', 'T 8']);
    assert.deepEqual(choice?.['choices'], [{ id: 4, text: 'a\\_b', is_correct: true }]);
    assert.deepEqual([file?.['path'], file?.['values']], ['/home/a_b', variant.values['2']]);
    assert.deepEqual(essay, tasks[3]);
    assert.deepEqual(variedTasks(tasks, null), tasks);
  });

  it('name no others there, and are right with their values', () => {
    const problems = (fields: object) =>
      problemsOfTask({ ...task, ...fields } as never).map(({ field, problem }) => `${field} ${problem?.code}`);
    const numeric = { kind: 'answer', is_numeric: true };
    assert.deepEqual(problems({ ...numeric, accepted: ['{{n}}'] }), []);
    assert.deepEqual(problems({ ...numeric, accepted: ['{{user}}'] }), ['accepted accepted_not_number']);
    assert.deepEqual(problems({ ...numeric, accepted: ['{{x}}'], unit: '{{y}}' }), [
      'accepted parameter_unknown',
      'unit parameter_unknown',
    ]);
    const choices = [{ text: '{{m}}' }, { text: 'b', is_correct: true }];
    assert.deepEqual(problems({ kind: 'choice', choices }), ['choices parameter_unknown']);
    assert.deepEqual(problems({ kind: 'essay', title: '{{m}}', parameters: null }), []);
  });
});
