import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { image } from '../made-assessment.ts';
import { TestServer, type TestUser } from '../server.ts';

type Who = { username: string };
type Attempt = { user: TestUser; exam?: number; laboratory?: number; score?: number; startedAt?: string };
describe('what instructors see', () => {
  let server: TestServer;
  let admin: TestUser;
  let instructor: TestUser;
  let anna: TestUser;
  let boris: TestUser;
  let exam: number;
  let laboratory: number;
  let tasks: number[];
  const attempts: Record<string, number> = {};

  before(async () => {
    server = await TestServer.start();
    admin = await server.user('admin');
    instructor = await server.user('instructor');
    anna = await server.user();
    boris = await server.user();
    const { db } = server.application;
    await db.updateTable('users').set({ username: 'anna', full_name: '=Anna "A"' }).where('id', '=', anna.id).execute();
    await db.updateTable('users').set({ username: 'Boris' }).where('id', '=', boris.id).execute();
    const course_id = await create('lessons/courses', { name: 'Course' });
    const section_id = await create('lessons/sections', { name: 'Section', course_id });
    exam = await create('exams', { ...assessment, title: 'Exam', time_limit_minutes: 30, course_id });
    laboratory = await create('laboratories', { ...assessment, title: 'Laboratory', section_id });
    tasks = [await task(1), await task(2)];
    attempts['worse'] = await attempt({ user: anna, exam, score: 0, startedAt: '2026-01-01T10:00:00Z' });
    attempts['best'] = await attempt({ user: anna, exam, score: 3, startedAt: '2026-01-02T10:00:00Z' });
    attempts['latest'] = await attempt({ user: anna, exam, score: 1, startedAt: '2026-01-03T10:00:00Z' });
    attempts['boris'] = await attempt({ user: boris, exam, startedAt: '2026-01-04T10:00:00Z' });
    attempts['laboratory'] = await attempt({ user: boris, laboratory, score: 2, startedAt: '2026-01-05T10:00:00Z' });
  });
  after(() => server[Symbol.asyncDispose]());

  const assessment = { container_image: image, passing_score: 2 };
  const create = async (path: string, fields: object): Promise<number> => {
    const { status, body, text } = await server.post(`/api/admin/${path}`, admin.token, fields);
    assert.equal(status, 201, text);
    return body.id;
  };
  const task = (points: number) =>
    create(`exams/${exam}/tasks`, { title: `Worth ${points}`, points, verification_script: 'echo PASS' });

  /** As it stands in the database when it is over, or, without a score, while it is in progress. */
  async function attempt({ user, exam: exam_id, laboratory: laboratory_id, score, startedAt = '' }: Attempt) {
    const { db } = server.application;
    const isOver = score !== undefined;
    const { id } = await db
      .insertInto('attempts')
      .values({
        kind: exam_id === undefined ? 'laboratory' : 'exam',
        assessment_id: exam_id ?? laboratory_id ?? null,
        user_id: user.id,
        title: 'As it was called then',
        container_name: `attempt-${startedAt}`,
        status: isOver ? 'finished' : 'in_progress',
        started_at: new Date(startedAt),
        expires_at: new Date('2030-01-01T00:00:00Z'),
        submitted_at: isOver ? new Date(startedAt) : null,
        score: score ?? null,
        passed: isOver ? score >= 2 : null,
        max_score: 3,
        passing_score: 2,
        integrity: isOver ? JSON.stringify(['/bin/ls']) : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const [index, task_id] of (isOver && exam_id ? tasks : []).entries()) {
      const points = index + 1;
      const passed = score === 3 || score === points;
      await db
        .insertInto('task_results')
        .values({
          attempt_id: id,
          task_id,
          title: `Worth ${points}`,
          order_index: index,
          points,
          points_earned: passed ? points : 0,
          passed,
          output: 'PASS',
        })
        .execute();
    }
    return id;
  }

  const get = (path: string, user: TestUser = instructor) => server.get(`/api/instructor/${path}`, user.token);
  const idsOf = async (query: string): Promise<number[]> => {
    const { status, body, text } = await get(`attempts?${query}`);
    assert.equal(status, 200, text);
    return body.map(({ id }: { id: number }) => id);
  };
  const named = (...names: string[]) => names.map((name) => attempts[name]);

  it('add minutes to an attempt that runs', async () => {
    const id = attempts['boris'] ?? 0;
    const extend = (user: TestUser, attemptId: number, json: object = { minutes: 10 }) =>
      server.post(`/api/instructor/attempts/${attemptId}/extend`, user.token, json);
    const added = await extend(instructor, id);
    assert.deepEqual([added.status, added.body.expires_at], [200, '2030-01-01T00:10:00.000Z'], added.text);
    assert.equal((await extend(admin, id, { minutes: 5 })).body.expires_at, '2030-01-01T00:15:00.000Z');
    const { type, actor_id } = await server.application.db
      .selectFrom('activity_log')
      .select(['type', 'actor_id'])
      .where('entity_type', '=', 'attempt')
      .where('entity_id', '=', id)
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow();
    assert.deepEqual([type, actor_id], ['admin_attempt_extend', instructor.id]);
    const over = await extend(instructor, attempts['best'] ?? 0);
    assert.deepEqual([over.status, over.code], [409, 'attempt_not_extendable']);
    assert.equal((await extend(instructor, 2_000_000)).status, 404);
    for (const minutes of [0, 1441, 'x']) assert.equal((await extend(instructor, id, { minutes })).status, 422);
    assert.equal((await extend(boris, id)).status, 403);
    const set = { expires_at: new Date('2030-01-01T00:00:00Z') };
    await server.application.db.updateTable('attempts').set(set).where('id', '=', id).execute();
  });

  it('are the attempts of all students, newest first, in pages', async () => {
    const all = await get('attempts?page_size=2');
    assert.equal(all.headers.get('x-total-count'), '5');
    assert.deepEqual(
      all.body.map(({ id, username }: { id: number; username: string }) => [id, username]),
      [
        [attempts['laboratory'], 'Boris'],
        [attempts['boris'], 'Boris'],
      ],
    );
    assert.deepEqual(await idsOf('page=3&page_size=2'), named('worse'));
    assert.deepEqual((await get('attempts', admin)).body.length, 5);
  });

  const filters: [query: () => string, names: string[]][] = [
    [() => 'kind=laboratory', ['laboratory']],
    [() => `exam_id=${exam}&status=in_progress`, ['boris']],
    [() => `laboratory_id=${laboratory}`, ['laboratory']],
    [() => `user_id=${anna.id}&passed=true`, ['best']],
    [() => 'search=ANN', ['latest', 'best', 'worse']],
    [() => 'search=%25', []],
    [() => 'from=2026-01-02&to=2026-01-03T10:00:00Z', ['best']],
    [() => 'from=2026-01-04T12:00:00%2B02:00', ['laboratory', 'boris']],
    [() => 'course_id=999999', []],
  ];
  for (const [query, names] of filters) {
    it(`are filtered: ${names.join(', ') || 'none'} (${String(query).replace(/^\(\) => /, '')})`, async () => {
      assert.deepEqual(await idsOf(query()), named(...names));
    });
  }

  it('are filtered by course, including the laboratories of its sections', async () => {
    const { course_id } = (await server.get(`/api/admin/exams/${exam}`, admin.token)).body;
    assert.equal((await idsOf(`course_id=${course_id}`)).length, 5);
  });

  it('refuses invalid filters', async () => {
    for (const query of ['from=2026-13-45', 'from=yesterday', 'to=2026-02-30T00:00:00Z', 'kind=sandbox', 'search=']) {
      for (const path of ['attempts', 'attempts/export']) {
        const { status, body } = await get(`${path}?${query}`);
        assert.deepEqual([status, body.detail[0].loc], [422, ['query', query.split('=', 1)[0]]], query);
      }
    }
  });

  it('are exported as a CSV with escaped formulas', async () => {
    const csv = await get(`attempts/export?exam_id=${exam}`);
    assert.equal(csv.status, 200);
    assert.match(csv.headers.get('content-disposition') ?? '', /attachment; filename="attempts\.csv"/);
    const lines = csv.text.split('\r\n');
    assert.equal(lines.length, 6);
    assert.match(lines[0] ?? '', /^attempt_id,kind,title,username,/);
    assert.equal(
      lines[3],
      `${attempts['best']},exam,As it was called then,anna,"'=Anna ""A""",${anna.email},finished,2026-01-02T10:00:00.000Z,2026-01-02T10:00:00.000Z,3,3,2,true`,
    );
  });

  it('are read in parts for any number of rows', async () => {
    await using many = await TestServer.start();
    const teacher = await many.user('instructor');
    const { id } = await many.user();
    // More than are read at once.
    const rows = 10_100;
    await sql`insert into attempts (kind, user_id, title, container_name, status, submitted_at, max_score, passing_score, score, passed)
      select 'laboratory', ${id}, 'Many', 'many-' || n, 'finished', now(), 1, 1, 1, true
      from generate_series(1, ${rows}) as n`.execute(many.application.db);
    const { text } = await many.get('/api/instructor/attempts/export', teacher.token);
    const ids = text
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => Number(line.split(',', 1)[0]));
    assert.equal(new Set(ids).size, rows);
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => b - a),
    );
  });

  it('is one attempt with its results', async () => {
    const { status, body } = await get(`attempts/${attempts['best']}`);
    assert.equal(status, 200);
    assert.deepEqual([body.username, body.integrity, body.results.length], ['anna', ['/bin/ls'], 2]);
    assert.equal((await get('attempts/999999')).status, 404);
    assert.equal((await get('attempts/x')).status, 422);
  });

  it('include a grade book: students by tasks, with the best or latest attempt', async () => {
    const best = await get(`exams/${exam}/grade-book`);
    assert.equal(best.status, 200);
    assert.equal(best.headers.get('x-total-count'), '2');
    assert.deepEqual(best.body.exam, { id: exam, title: 'Exam', max_score: 3, passing_score: 2, is_active: true });
    const [first, second] = best.body.students;
    assert.deepEqual(
      [first.username, first.attempt_id, first.score, first.passed, first.attempts],
      ['anna', attempts['best'], 3, true, 3],
    );
    assert.deepEqual(first.results, [
      { passed: true, points_earned: 1, is_awaiting_grading: false },
      { passed: true, points_earned: 2, is_awaiting_grading: false },
    ]);
    assert.deepEqual([second.username, second.status, second.score], ['Boris', 'in_progress', null]);
    assert.deepEqual(second.results, [null, null]);
    const latest = await get(`exams/${exam}/grade-book?attempt=latest&page_size=1`);
    assert.deepEqual(
      latest.body.students.map(({ attempt_id, score }: { attempt_id: number; score: number }) => [attempt_id, score]),
      [[attempts['latest'], 1]],
    );
    assert.equal((await get(`exams/${exam}/grade-book?page=2&page_size=1`)).body.students[0].username, 'Boris');
    const found = await get(`exams/${exam}/grade-book?search=BORI`);
    assert.deepEqual(
      [found.headers.get('x-total-count'), found.body.students.map(({ username }: Who) => username)],
      ['1', ['Boris']],
    );
    assert.deepEqual((await get(`exams/${exam}/grade-book?search=%25`)).body.students, []);
    assert.equal((await get(`exams/${exam}/grade-book?attempt=worst`)).status, 422);
    const other = await get(`laboratories/${laboratory}/grade-book`);
    assert.deepEqual([other.body.laboratory.title, other.body.students[0].score], ['Laboratory', 2]);
    for (const path of ['exams/999999', 'laboratories/999999']) {
      assert.equal((await get(`${path}/grade-book`)).status, 404);
      assert.equal((await get(`${path}/grade-book/export`)).status, 404);
    }
  });

  it('include grades of deleted tasks and retired exams', async () => {
    assert.equal((await server.delete(`/api/admin/exams/${exam}/tasks/${tasks[0]}`, admin.token)).status, 200);
    assert.equal((await server.delete(`/api/admin/exams/${exam}`, admin.token)).status, 200);
    const { body } = await get(`exams/${exam}/grade-book`);
    assert.equal(body.exam.is_active, false);
    assert.deepEqual(body.tasks, [
      { task_id: tasks[1], title: 'Worth 2', points: 2, is_deleted: false },
      { task_id: tasks[0], title: 'Worth 1', points: 1, is_deleted: true },
    ]);
    assert.deepEqual(
      body.students[0].results.map(({ points_earned }: { points_earned: number }) => points_earned),
      [2, 1],
    );
    const csv = await get(`exams/${exam}/grade-book/export`);
    assert.match(csv.headers.get('content-disposition') ?? '', new RegExp(`"exam-${exam}-grades\\.csv"`));
    assert.deepEqual(csv.text.split('\r\n').slice(0, 3), [
      'username,full_name,email,attempts,status,submitted_at,score,max_score,passed,Worth 2,Worth 1',
      `anna,"'=Anna ""A""",${anna.email},3,finished,2026-01-02T10:00:00.000Z,3,3,true,2,1`,
      `Boris,,${boris.email},1,in_progress,,,3,,,`,
    ]);
    const practice = await get(`laboratories/${laboratory}/grade-book/export?attempt=latest`);
    assert.equal(practice.status, 200);
  });

  it('are the running containers of students, which can be watched', async () => {
    const { db } = server.application;
    const running = { engine_ref: 'none', status: 'running' as const, image };
    for (const [user_id, kind, attempt_id] of [
      [boris.id, 'exam', attempts['boris']],
      [anna.id, 'sandbox', null],
      [instructor.id, 'sandbox', null],
    ] as const) {
      const values = { ...running, name: `container-${user_id}`, user_id, kind, attempt_id: attempt_id ?? null };
      await db.insertInto('containers').values(values).execute();
    }
    const namesOf = async (query: string) =>
      (await get(`containers?${query}`)).body.map(({ username }: { username: string }) => username);
    assert.deepEqual(await namesOf(''), ['anna', 'Boris']);
    assert.deepEqual(await namesOf(`kind=exam&exam_id=${exam}`), ['Boris']);
    assert.deepEqual(await namesOf(`user_id=${anna.id}`), ['anna']);
    assert.deepEqual(await namesOf(`laboratory_id=${laboratory}`), []);
    const [, watched] = (await get('containers')).body;
    assert.deepEqual(await namesOf(`container_id=${watched.id}`), ['Boris']);
    assert.deepEqual([watched.title, watched.attempt_id], ['As it was called then', attempts['boris']]);
  });

  it('include the subjects with grade books and their number of students', async () => {
    const { body, headers } = await get('subjects');
    assert.equal(headers.get('x-total-count'), '2');
    assert.deepEqual(
      body.map(({ kind, id, title, students }: Record<string, unknown>) => [kind, id, title, students]),
      [
        ['exam', exam, 'Exam', 2],
        ['laboratory', laboratory, 'Laboratory', 1],
      ],
    );
  });

  it('is for instructors and administrators only', async () => {
    for (const path of ['attempts', `attempts/${attempts['best']}`, `exams/${exam}/grade-book`, 'containers']) {
      const { status, body, code } = await get(path, anna);
      assert.deepEqual([status, code, body], [403, 'instructor_required', { detail: 'Instructor access required' }]);
    }
  });
});
