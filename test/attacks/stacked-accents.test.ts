import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { after, before, it } from 'node:test';
import { kindOf, ownFields } from '../../src/entities/task-kinds/kinds.ts';
import { searchText } from '../../src/features/search/lesson-index.ts';
import { plainName } from '../../src/features/tables/table-columns.ts';
import { foldName, normalName } from '../../src/values/username.ts';
import { good } from '../grading-class.ts';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { TestServer } from '../server.ts';

/** Two accents in the wrong order. Bringing 100,000 of them into order takes a process ten seconds. */
const accents = '\u0315\u0300';
const hostile = `a${accents.repeat(50_000)}`;
const graded = (accepted: string[], text: string, more: object = {}) => {
  const task = { kind: 'answer', accepted, is_numeric: false, is_expression: false, tolerance: 0, unit: '', ...more };
  const fields = ownFields({ is_case_sensitive: false, is_blank_sensitive: false, ...task } as never);
  return kindOf({ kind: 'answer' }).grade?.(fields as never, { text }, false)?.passed;
};

function assertQuick(what: string, work: () => unknown): void {
  const begin = performance.now();
  work();
  const took = performance.now() - begin;
  assert.ok(took < 1000, `${what} took ${Math.round(took)} ms`);
}

describeLong('texts of accents that have to be brought into order', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({}, { engine: { reason: 'this test has none' } }, 1);
  });
  after(() => server?.[Symbol.asyncDispose]());

  it('are compared with accepted answers in no time', () => {
    const forms = Array.from({ length: 50 }, (_, index) => `a${accents.repeat(20)}${index}`);
    for (const more of [{}, { is_blank_sensitive: true }, { is_numeric: true }, { is_expression: true }])
      assertQuick(JSON.stringify(more), () => assert.equal(graded(forms, hostile, more), false));
    assert.equal(graded(['Übung \u1e69'], ' u\u0308bung  s\u0307\u0323 '), true, 'a letter in four characters');
    assert.equal(graded([`a${'\u0300\u0315'.repeat(20)}`], `A${accents.repeat(20)}`), true, 'in any order');
    assert.equal(graded(['n^2 - 1'], '(n-1)(n+1)', { is_expression: true }), true);
  });

  it('are no usernames, names of columns or lessons that hold up a process', () => {
    assertQuick('a username', () => assert.equal(normalName(hostile), hostile));
    assertQuick('a name', () => foldName(hostile));
    assertQuick('a column', () => plainName(hostile));
    assertQuick('a lesson', () => assert.equal(searchText(hostile, 1_000_000).length > 90_000, true));
    assert.equal(normalName('u\u0308ber'), '\u00fcber');
    assert.equal(searchText('u\u0308ber u\u0308ber', 100), '\u00fcber \u00fcber');
  });

  it('are handed in as an answer, and graded at once', async () => {
    const [admin, student] = [await server.user('admin'), await server.user()];
    const exam = await makeAssessment(server, admin, 'exam', [], { passing_score: 1 });
    const task = { title: 'Name it', points: 1, kind: 'answer', accepted: ['x'.repeat(100), 'chmod'] };
    const { id } = await good(server.post(`/api/admin/exams/${exam}/tasks`, admin.token, task));
    const { attempt_id: attempt } = await good(server.post(`/api/exams/${exam}/start`, student.token));
    const text = hostile.slice(0, 100_000);
    await good(server.put(`/api/exams/attempts/${attempt}/answers/${id}`, student.token, { text }));
    const begin = performance.now();
    assert.equal((await good(server.post(`/api/exams/${exam}/submit`, student.token))).score, 0);
    assert.ok(performance.now() - begin < 5000, `${Math.round(performance.now() - begin)} ms`);
  });
});
