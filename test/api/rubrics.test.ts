import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { finishAttempt } from '../finished-attempt.ts';
import { type GradingStaff, good, gradedSession, gradingStaff, refused } from '../grading-class.ts';
import { makeAssessment } from '../made-assessment.ts';
import { codedItems, TestServer, type TestUser } from '../server.ts';

type Change = { key: string; revision: number; points_earned: number; student: { attempt_id: number } | null };
type Item = { id: number; text: string; points: number };

describe('rubrics', { timeout: 600_000 }, () => {
  let server: TestServer;
  let staff: GradingStaff;

  before(async () => {
    server = await TestServer.start({ INSTRUCTOR_SCOPE: 'classes' });
    staff = await gradingStaff(server);
  });
  after(() => server?.[Symbol.asyncDispose]());

  const rubric = (exam: number, task: number, door = '/api/instructor') => `${door}/exams/${exam}/tasks/${task}/rubric`;
  const add = (path: string, text: string, points: number, user: TestUser = staff.teacher): Promise<Item> =>
    good(server.post(path, user.token, { text, points }));
  const decide = (path: string, task: number, json: object, user: TestUser = staff.teacher) =>
    server.put(`${path}/results/${task}`, user.token, { revision: 0, ...json });
  const feedback = async (user: TestUser, attempt: number) =>
    await good(server.get(`/api/exams/attempts/${attempt}/feedback`, user.token));
  const scoreOf = async (path: string) => (await good(server.get(path, staff.teacher.token))).score;

  it('have items that editors and graders add, change and delete', async () => {
    const { admin, teacher, colleague, assistant, stranger } = staff;
    const { exam, tasks } = await gradedSession(server, staff);
    const path = rubric(exam, tasks[0]);
    const first = await add(path, 'Explains why', 2.505);
    assert.deepEqual(first, { id: first.id, text: 'Explains why', points: 2.51 });
    const second = await add(rubric(exam, tasks[0], '/api/admin'), 'No comment', -0.5, admin);
    const changed = await good(server.put(`${path}/${first.id}`, colleague.token, { points: 3 }));
    assert.deepEqual(changed, { ...first, points: 3 });
    assert.deepEqual(await good(server.get(path, teacher.token)), [changed, second]);
    assert.deepEqual(await good(server.get(rubric(exam, tasks[1]), teacher.token)), []);
    for (const user of [assistant, stranger]) {
      await refused(server.get(path, user.token), 404);
      await refused(server.post(path, user.token, { text: 'Mine', points: 1 }), 404);
      await refused(server.put(`${path}/${first.id}`, user.token, { points: 1 }), 404);
      await refused(server.delete(`${path}/${first.id}`, user.token), 404);
      await refused(server.get(`${path}/changes`, user.token), 404);
    }
    await refused(server.get(rubric(exam, 2_000_000_000), teacher.token), 404);
    await refused(server.put(`${path}/2000000000`, teacher.token, { points: 1 }), 404);
    await refused(server.put(`${rubric(exam, tasks[1])}/${first.id}`, teacher.token, { points: 1 }), 404);
    for (const wrong of [{ text: ' ', points: 1 }, { text: 'A', points: 10_001 }, { text: 'A' }])
      await refused(server.post(path, teacher.token, wrong), 422);
    await good(server.delete(`${path}/${first.id}`, teacher.token));
    await refused(server.delete(`${path}/${first.id}`, teacher.token), 404);
    const many = Array.from({ length: 48 }, (_, index) => ({ text: `${index}`, points: 1 }));
    const of = { kind: 'exam' as const, assessment_id: exam, task_id: tasks[0] };
    await server.application.db
      .insertInto('rubric_items')
      .values(many.map((item) => ({ ...of, ...item })))
      .execute();
    const last = await Promise.all([1, 2].map(() => server.post(path, teacher.token, { text: 'Last', points: 1 })));
    assert.deepEqual(last.map(({ status }) => status).toSorted(), [201, 409]);
    assert.equal(last.find(({ status }) => status === 409)?.code, 'too_many_rubric_items');
  });

  // Long: one task of four students, with each way to give points.
  it('give the points of the items that are chosen, from 0 to those of the task', async () => {
    const { exam, tasks, students } = await gradedSession(server, staff, { students: 4 });
    const [one, two, three, four] = students as [(typeof students)[0], ...typeof students];
    const path = rubric(exam, tasks[0]);
    const [right, late, wrong] = [
      await add(path, 'Right', 4.1),
      await add(path, 'Well said', 0.2),
      await add(path, 'Wrong', -9),
    ];
    const graded = await good(decide(one.path, tasks[0], { rubric_item_ids: [late.id, right.id] }));
    const [{ decided_at: _at, ...decision }] = graded.decisions;
    assert.deepEqual(decision, {
      ...{
        task_id: tasks[0],
        revision: 1,
        points_before: 0,
        points_earned: 4.3,
        reason: '',
        is_by_rubric: true,
        is_mean: false,
      },
      ...{ rubric_items: [right, late], decided_by: staff.teacher.username },
    });
    assert.deepEqual((await feedback(one.user, one.attempt)).decisions[0].rubric_items, [right, late]);
    assert.equal(await scoreOf(one.path), 4.3);
    await good(decide(two?.path ?? '', tasks[0], { rubric_item_ids: [right.id, wrong.id], reason: 'See the line' }));
    assert.equal(await scoreOf(two?.path ?? ''), 0);
    const own = { points_earned: 5, reason: 'All the same', rubric_item_ids: [right.id] };
    const given = await good(decide(three?.path ?? '', tasks[0], own));
    assert.deepEqual(
      [given.decisions[0].points_earned, given.decisions[0].is_by_rubric, given.decisions[0].rubric_items],
      [5, false, [right]],
    );
    await good(server.post(path, staff.teacher.token, { text: 'More', points: 5 }));
    const all: Item[] = await good(server.get(path, staff.teacher.token));
    const ids = all.filter(({ points }) => points > 0).map(({ id }) => id);
    assert.equal(
      (await good(decide(four?.path ?? '', tasks[0], { rubric_item_ids: ids }))).decisions[0].points_earned,
      5,
    );
    const at = one.path;
    await refused(decide(at, tasks[0], { revision: 1 }), 422);
    await refused(decide(at, tasks[0], { revision: 1, points_earned: 1 }), 422);
    const unknown = await decide(at, tasks[1], { rubric_item_ids: [right.id] });
    assert.deepEqual([unknown.status, codedItems(unknown)[0]?.code], [422, 'rubric_item_unknown']);
    assert.equal(
      (await good(decide(at, tasks[0], { revision: 1, rubric_item_ids: [] }))).decisions[1].points_earned,
      0,
    );
  });

  // Long: what a change shows, what it leaves alone, and each way in which it is not applied.
  it('change results after a look', async () => {
    const { teacher, colleague, stranger } = staff;
    const { exam, tasks, students } = await gradedSession(server, staff, { students: 4 });
    const path = rubric(exam, tasks[0]);
    const [half, gone] = [await add(path, 'Half', 2), await add(path, 'Style', 1)];
    const [one, two, own, both] = students as [
      (typeof students)[0],
      (typeof students)[0],
      (typeof students)[0],
      (typeof students)[0],
    ];
    await good(decide(one.path, tasks[0], { rubric_item_ids: [half.id] }));
    await good(decide(two.path, tasks[0], { rubric_item_ids: [half.id], reason: 'Nearly' }));
    await good(decide(own.path, tasks[0], { rubric_item_ids: [half.id], points_earned: 4, reason: 'Mine' }));
    await good(decide(both.path, tasks[0], { rubric_item_ids: [half.id, gone.id] }));
    const changes = async (user = teacher) => await good(server.get(`${path}/changes`, user.token));
    assert.deepEqual(await changes(), []);
    await good(server.delete(`${path}/${gone.id}`, teacher.token));
    assert.deepEqual(await changes(), [], 'a deleted item keeps its points');
    await good(server.put(`${path}/${half.id}`, teacher.token, { points: 2.5, text: 'A good half' }));
    assert.equal(await scoreOf(one.path), 2, 'nothing changes by itself');
    const shown = await changes();
    const now = { ...half, points: 2.5, text: 'A good half' };
    assert.deepEqual(shown[0], {
      ...{ key: shown[0].key, revision: 1 },
      student: { attempt_id: one.attempt, user_id: one.user.id, username: one.user.username, full_name: null },
      ...{ points_before: 2, points_earned: 2.5, rubric_items: [now] },
    });
    assert.deepEqual(
      shown.map((change: Change) => [change.student?.attempt_id, change.points_earned]),
      [
        [one.attempt, 2.5],
        [two.attempt, 2.5],
        [both.attempt, 3.5],
      ],
    );
    assert.deepEqual(await changes(staff.admin), shown);
    const wanted = shown.map(({ key, revision, points_earned }: Change) => ({ key, revision, points_earned }));
    const apply = (list: object[], user = teacher) => server.post(`${path}/changes`, user.token, { changes: list });
    await refused(apply(wanted, stranger), 404);
    const listed = await good(server.get(`/api/instructor/grading?exam_id=${exam}`, teacher.token));
    const keyOf = (attempt: number, task: number): string =>
      listed.find((row: Change & { task_id: number }) => row.student?.attempt_id === attempt && row.task_id === task)
        .key;
    await refused(apply([{ ...wanted[0], key: keyOf(own.attempt, tasks[0]) }]), 409, 'graded_meanwhile');
    for (const key of [keyOf(one.attempt, tasks[1]), 'none']) await refused(apply([{ ...wanted[0], key }]), 404);
    await refused(apply([wanted[0], { ...wanted[1], points_earned: 5 }]), 409, 'graded_meanwhile');
    await refused(apply([]), 422);
    assert.equal(await scoreOf(one.path), 2, 'none is applied where one is refused');
    await good(decide(two.path, tasks[0], { revision: 1, points_earned: 0, reason: 'Copied' }, colleague));
    await refused(apply(wanted), 409, 'graded_meanwhile');
    const left = wanted.filter(({ key }: Change) => key !== keyOf(two.attempt, tasks[0]));
    const twice = await Promise.all([apply(left), apply(left.toReversed(), colleague)]);
    assert.deepEqual(twice.map(({ status }) => status).toSorted(), [200, 409]);
    assert.deepEqual(await changes(), []);
    assert.deepEqual(
      await Promise.all([one, two, own, both].map((student) => scoreOf(student.path))),
      [2.5, 0, 4, 3.5],
    );
    const { decisions } = await feedback(both.user, both.attempt);
    assert.deepEqual(
      decisions.map((decision: { rubric_items: Item[] }) => decision.rubric_items),
      [
        [half, gone],
        [now, gone],
      ],
    );
  });

  it('are kept in decisions when the exam is edited and deleted', async () => {
    const { admin, teacher } = staff;
    const { exam, tasks, students } = await gradedSession(server, staff);
    const [{ user, attempt, path }] = students as [(typeof students)[0]];
    const item = await add(rubric(exam, tasks[0]), 'Right', 4);
    await good(decide(path, tasks[0], { rubric_item_ids: [item.id] }));
    await good(server.delete(`/api/admin/exams/${exam}/tasks/${tasks[0]}`, admin.token));
    await refused(server.get(rubric(exam, tasks[0]), teacher.token), 404);
    assert.deepEqual((await feedback(user, attempt)).decisions[0].rubric_items, [item]);
    await good(server.post('/api/deletions/undo', admin.token, { kind: 'exam_task', entity_id: tasks[0] }));
    assert.deepEqual(await good(server.get(rubric(exam, tasks[0]), teacher.token)), [item]);
    await good(server.delete(`/api/admin/exams/${exam}`, admin.token));
    assert.deepEqual((await feedback(user, attempt)).decisions[0].rubric_items, [item]);
  });

  it('are those of laboratories as well', async () => {
    const { admin, teacher, stranger, classId } = staff;
    const laboratory = await makeAssessment(server, admin, 'laboratory', ['echo FAIL']);
    const [task] = (await good(server.get(`/api/admin/laboratories/${laboratory}`, admin.token))).tasks;
    const path = `/api/instructor/laboratories/${laboratory}/tasks/${task.id}/rubric`;
    await refused(server.get(path, teacher.token), 404);
    const student = await server.user();
    await good(server.post(`/api/classes/${classId}/members`, admin.token, { user_id: student.id }));
    const attempt = await finishAttempt(server, student, 'laboratory', laboratory, [false]);
    const item = await add(path, 'Tidy', 1);
    await refused(server.get(path, stranger.token), 404);
    await good(decide(`/api/instructor/attempts/${attempt}`, task.id, { rubric_item_ids: [item.id] }));
    assert.equal(await scoreOf(`/api/instructor/attempts/${attempt}`), 1);
  });
});
