import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { kindOf, ownFields, takesAnswer, variedTasks, withKindFields } from '../../src/entities/task-kinds/kinds.ts';
import { ContentService } from '../../src/features/content/service.ts';
import { ContentStore } from '../../src/features/content/store.ts';
import { runAsStudent } from '../../src/features/trials/solution-run.ts';
import { scriptWith } from '../../src/values/parameters.ts';
import { Classroom } from '../classroom.ts';
import { describeLong, rounds } from '../rounds.ts';
import { engineSkip } from '../server.ts';
import { until } from '../until.ts';

/** Of all exams together: `RELIABILITY_ROUNDS=500 npm run test:long -- test/content/regraded-exams.test.ts`. */
const count = rounds(4, 500);
/** Each takes a machine. */
const atOnce = 3;
const patience = 600_000;

/** A number below the limit that is the same in each run. */
const drawn = (limit: number, ...of: (string | number)[]): number =>
  createHash('sha256').update(of.join(' ')).digest().readUInt32BE() % limit;

describeLong('attempts of the shipped exams', { skip: engineSkip, timeout: 4 * 3_600_000 }, () => {
  let room: Classroom;
  before(async () => {
    room = await Classroom.open({ CONTAINERS_MAX: '12' });
    const { db } = room.server.application;
    const content = new ContentService(new ContentStore(db, room.server.config.catalogue));
    await content.seedContent(join(import.meta.dirname, '../../content'));
  });
  after(() => room?.[Symbol.asyncDispose]());

  const examsOf = async () =>
    await room.server.application.db
      .selectFrom('assessments')
      .select(['id', 'slug', 'user'])
      .where('kind', '=', 'exam')
      .orderBy('id')
      .execute();
  type Exam = Awaited<ReturnType<typeof examsOf>>[number];

  /** Its tasks are solved, left, or solved in part: as far as a student comes, with some lines of the solution. */
  async function take(exam: Exam, index: number): Promise<number> {
    const { server } = room;
    const { db, shell } = server.application;
    const student = await server.user();
    const { attempt_id: id } = await room.start(student, 'exam', exam.id);
    const { variant } = await db
      .selectFrom('attempts')
      .select('variant')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const machine = await db
      .selectFrom('containers')
      .select('engine_ref')
      .where('attempt_id', '=', id)
      .executeTakeFirst();
    const rows = await db
      .selectFrom('assessment_tasks')
      .selectAll()
      .where('assessment_kind', '=', 'exam')
      .where('assessment_id', '=', exam.id)
      .orderBy('order_index')
      .execute();
    for (const task of variedTasks(rows.map(withKindFields), variant)) {
      const of = [exam.id, index, task.order_index] as const;
      const answers = kindOf(task).trialAnswers?.(ownFields(task)) ?? [];
      const answer = answers[drawn(answers.length + 1, ...of)]?.answer;
      if (takesAnswer(task) && answer !== undefined) {
        const saved = await server.put(`/api/exams/attempts/${id}/answers/${task.id}`, student.token, answer);
        assert.equal(saved.status, 200, saved.text);
      }
      const lines = task.solution_script?.split('\n') ?? [];
      const scripts = [
        task.solution_script,
        task.partial_script,
        lines.slice(0, 1 + drawn(lines.length + 1, 'lines', ...of)).join('\n'),
      ];
      const script = scripts[drawn(4, ...of)];
      if (task.kind !== 'check' || script == null || !machine?.engine_ref) continue;
      await runAsStudent(
        { ref: machine.engine_ref, shell, account: exam.user, solutionSeconds: 60 },
        scriptWith(task.values, script),
      );
    }
    const submitted = await server.post(`/api/exams/${exam.id}/submit`, student.token);
    assert.equal(submitted.status, 200, submitted.text);
    return submitted.body.score as number;
  }

  // Long: everything that an exam goes through until its regrade.
  it('get the same verdicts again where nothing has changed', async (t) => {
    const { server, admin } = room;
    const { db } = server.application;
    const exams = await examsOf();
    const turns = Array.from({ length: count }, (_, index) => index).values();
    const began = performance.now();
    const worker = async (): Promise<void> => {
      for (const turn of turns) {
        const exam = exams[turn % exams.length];
        if (exam) await take(exam, Math.floor(turn / exams.length));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    const kept = async () => await db.selectFrom('attempt_evidence').select(['status', 'notes', 'bytes']).execute();
    await until(
      async () =>
        (await kept()).filter(({ status }) => status !== 'keeping').length === count &&
        (await db.selectFrom('containers').select('id').execute()).length === 0,
      'the evidence of all',
      patience,
    );
    const evidence = await kept();
    assert.deepEqual(
      evidence.filter(({ status, notes }) => status !== 'kept' || notes.length > 0),
      [],
    );
    const megabytes = evidence.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
    t.diagnostic(`${count} attempts took ${seconds(began)} s, and left ${megabytes.toFixed(1)} MB`);
    const results = await db
      .selectFrom('task_results')
      .select(({ fn }) => ['passed', fn.countAll<number>().as('count')])
      .groupBy('passed')
      .execute();
    t.diagnostic(`results: ${results.map((one) => `${one.count} ${one.passed ? 'passed' : 'failed'}`).join(', ')}`);

    const again = performance.now();
    let all = 0;
    let stay = 0;
    const differing: unknown[] = [];
    for (const { id, slug } of exams) {
      const begun = await server.post(`/api/admin/exams/${id}/regrade`, admin.token, {});
      assert.equal(begun.status, 202, begun.text);
      const path = `/api/instructor/regrades/${begun.body.id}`;
      const regrade = async () => (await server.get(path, admin.token)).body;
      await until(async () => (await regrade()).status === 'ready', `the regrade of exam ${id}`, 20 * patience);
      const { total, skipped, differences, kept: unchanged } = await regrade();
      assert.deepEqual(skipped, []);
      all += total;
      stay += unchanged.length;
      for (const { title } of unchanged) t.diagnostic(`stays, because processes are not as they were: ${title}`);
      for (const { attempt_id, title, before: was, after: is } of differences)
        differing.push({ slug, attempt_id, title, before: was, after: is });
    }
    t.diagnostic(
      `${all} attempts were graded again in ${seconds(again)} s, with ${differing.length} differences; ${stay} results stay`,
    );
    assert.equal(all, count);
    assert.deepEqual(differing, []);
  });
});

const seconds = (since: number): string => ((performance.now() - since) / 1000).toFixed(0);
