import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { checkCounts, checkCountsDaily } from '../../src/database/lists/check.ts';
import { foldCounts } from '../../src/database/lists/fold.ts';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';

describe('the counts of lists', () => {
  let server: TestServer;
  let admin: TestUser;
  before(async () => {
    server = await TestServer.start();
    admin = await server.user('admin');
  });
  after(() => server[Symbol.asyncDispose]());

  const total = async (path: string) =>
    Number((await server.get(`${path}page_size=1`, admin.token)).headers.get('x-total-count'));
  const check = async () => {
    let differences: Awaited<ReturnType<typeof checkCounts>>;
    // Only one process writes to the counts at a time.
    await until(async () => {
      differences = await checkCounts(server.application.db);
      return differences !== undefined;
    }, 'a check');
    return differences ?? [];
  };
  const attempt = (user: number, exam: number, number: string) => sql`
    insert into attempts (kind, exam_id, user_id, title, container_name, status, expires_at, max_score, passing_score)
    values ('exam', ${exam}, ${user}, 'Title', ${number}, 'starting', now(), 3, 2) returning id`;
  const exam = async () => {
    const values = { title: 'Exam', container_image: 'image', passing_score: 2, time_limit_minutes: 60 };
    const { db } = server.application;
    return (await db.insertInto('exams').values(values).returning('id').executeTakeFirstOrThrow()).id;
  };
  const students = async (id: number): Promise<number> => {
    const { body } = await server.get('/api/instructor/subjects', admin.token);
    return body.find((row: { kind: string; id: number }) => row.kind === 'exam' && row.id === id)?.students;
  };

  // Long: the attempts go through all states at once.
  it('are right after concurrent changes, folds and checks', async () => {
    const { db } = server.application;
    const assessment = await exam();
    const users = await Promise.all(Array.from({ length: 12 }, () => server.user()));
    const work = users.map(async ({ id: user }, index) => {
      for (let round = 0; round < 4; round += 1) {
        const { rows } = await attempt(user, assessment, `${user}-${round}`).execute(db);
        const { id } = rows[0] as { id: number };
        if (index % 4 === 3) {
          await sql`delete from attempts where id = ${id} and status = 'starting'`.execute(db);
          continue;
        }
        await sql`update attempts set status = 'in_progress', started_at = now() where id = ${id}`.execute(db);
        const isPassed = (index + round) % 2 === 0;
        await sql`update attempts set status = 'finished', submitted_at = now(), score = 2, passed = ${isPassed} where id = ${id}`.execute(
          db,
        );
        await sql`insert into activity_log (user_id, type) values (${user}, 'exam_submit')`.execute(db);
      }
      if (index % 4 === 2) await sql`delete from users where id = ${user}`.execute(db);
      else await sql`update users set role = 'instructor' where id = ${user}`.execute(db);
    });
    let isOver = false;
    const folding = (async () => {
      while (!isOver) await foldCounts(db);
    })();
    const found: unknown[] = [];
    const checking = (async () => {
      while (!isOver) found.push(...((await checkCounts(db)) ?? []));
    })();
    await Promise.all(work);
    isOver = true;
    await Promise.all([folding, checking]);
    assert.deepEqual([...found, ...(await check())], []);
    assert.equal(await students(assessment), 6);
    assert.equal(await total(`/api/admin/attempts?exam_id=${assessment}&`), 24);
    assert.equal(await total(`/api/admin/attempts?exam_id=${assessment}&passed=true&`), 12);
    assert.equal(await total('/api/admin/users?role=instructor&'), 9);
    assert.equal(await total('/api/admin/activity?type=exam_submit&'), 24);
  });

  it('count a student once, and not for an attempt that never began', async () => {
    const { db } = server.application;
    const [assessment, user] = [await exam(), await server.user()];
    const begun = async (name: string) => {
      const { rows } = await attempt(user.id, assessment, name).execute(db);
      assert.equal(await students(assessment), name === 'first' ? 0 : 1);
      await sql`update attempts set status = 'abandoned' where id = ${(rows[0] as { id: number }).id}`.execute(db);
    };
    await begun('first');
    await begun('second');
    assert.equal(await students(assessment), 1);
    await sql`delete from users where id = ${user.id}`.execute(db);
    assert.equal(await students(assessment), 0);
    assert.deepEqual(await check(), []);
  });

  it('are compared with the rows, and corrected where they differ', async () => {
    const { db } = server.application;
    const [assessment, user] = [await exam(), await server.user()];
    await attempt(user.id, assessment, 'planted').execute(db);
    await sql`update attempts set status = 'abandoned' where container_name = 'planted'`.execute(db);
    await foldCounts(db);
    const before = await total('/api/admin/activity?');
    await sql`update attempt_counts set count = count + 7 where block = -1 and subject_id = ${assessment}`.execute(db);
    await sql`delete from student_counts where subject_id = ${assessment}`.execute(db);
    await sql`delete from user_counts where role = 'admin'`.execute(db);
    await sql`update activity_counts set count = 0 where block = -1 and type = 'register'`.execute(db);
    assert.ok((await total('/api/admin/activity?')) < before);
    const differences = await check();
    const planted = differences.filter(({ what }) => what === `exam ${assessment} abandoned`);
    assert.deepEqual(planted, [{ list: 'attempts', what: `exam ${assessment} abandoned`, difference: -7 }]);
    assert.deepEqual([...new Set(differences.map(({ list }) => list))].sort(), [
      'activity',
      'attempts',
      'students',
      'users',
    ]);
    assert.deepEqual(await check(), []);
    assert.deepEqual(
      [await students(assessment), await total('/api/admin/users?role=admin&'), await total('/api/admin/activity?')],
      [1, 1, before],
    );
  });

  it('are compared once a day, whatever the number of processes and restarts', async () => {
    const { db } = server.application;
    const plant = sql`update user_counts set count = count + 1 where role = 'admin'`;
    await foldCounts(db);
    await plant.execute(db);
    assert.equal(await checkCountsDaily(db), undefined, 'the installation is new');
    await sql`update installation set counts_checked_at = now() - interval '25 hours'`.execute(db);
    const all = await Promise.all([1, 2, 3].map(() => checkCountsDaily(db)));
    assert.deepEqual(
      all.filter((differences) => differences !== undefined).map((differences) => differences.map(({ list }) => list)),
      [['users']],
    );
    assert.equal(await checkCountsDaily(db), undefined);
  });

  it('are due again after a check that failed', async () => {
    const { db } = server.application;
    await sql`update installation set counts_checked_at = now() - interval '25 hours'`.execute(db);
    await sql`alter table user_counts rename to hidden`.execute(db);
    await assert.rejects(checkCountsDaily(db), /user_counts/);
    await sql`alter table hidden rename to user_counts`.execute(db);
    assert.deepEqual(await checkCountsDaily(db), []);
  });
});
