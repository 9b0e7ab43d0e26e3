import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { minutes, openSession, schoolClass } from '../exam-session.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { makeAssessment } from '../made-assessment.ts';
import { MailServer } from '../mail-server.ts';
import { oneRowEach } from '../rows-of-every-table.ts';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';

describe('what is kept for some days', { timeout: 600_000 }, () => {
  let smtp: MailServer;
  let server: TestServer;
  let admin: TestUser;
  let exam: number;
  before(async () => {
    smtp = await MailServer.listen();
    server = await TestServer.start(
      {
        ...{ SMTP_URL: `smtp://127.0.0.1:${smtp.port}?tls=none`, MAIL_SENDER: 'noreply@example.com' },
        ...{
          PUBLIC_URL: 'https://school.example.com',
          SECRET_KEY: 'x'.repeat(32),
          mailRoundSeconds: 0.2,
          mailDelaySeconds: 0,
        },
      },
      { engine: { reason: 'this test has none' } },
    );
    admin = await server.user('admin');
    exam = await makeAssessment(server, admin, 'exam', ['echo PASS', 'echo PASS']);
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await smtp?.[Symbol.asyncDispose]();
  });

  const db = () => server.application.db;
  const set = async (settings: object) => {
    const { status, text } = await server.put('/api/admin/site', admin.token, settings);
    assert.equal(status, 200, text);
  };
  const due = async (query: string) => (await server.get(`/api/admin/site/retention?${query}`, admin.token)).body;
  const run = () => server.application.retention.run();
  /** What the last round has removed. */
  const entries = async (): Promise<object[]> =>
    (await server.get('/api/admin/activity?type=retention', admin.token)).body.map(
      ({ details, actor_id }: { details: { removed: object }; actor_id: null }) => ({ ...details.removed, actor_id }),
    );
  const forget = () => sql`delete from activity_log where type = 'retention'`.execute(db());
  /** Lets an attempt have ended so many days ago. */
  const age = (id: number, days: number) =>
    sql`update attempts set created_at = ended, started_at = ended, expires_at = ended, submitted_at = ended
      from (select now() - make_interval(days => ${days}) as ended) as at where id = ${id}`.execute(db());
  /** Lets the last login of users be so many days ago. */
  const unused = async (days: number, ...users: TestUser[]): Promise<void> => {
    const ids = users.map(({ id }) => id);
    const past = sql`now() - make_interval(days => ${days})`;
    await sql`update users set last_login_at = ${past} where id = any(${ids}::int[])`.execute(db());
    await sql`update logins set last_used_at = ${past} where user_id = any(${ids}::int[])`.execute(db());
  };
  const workOf = async (ids: number[]): Promise<number[]> => {
    const { rows } = await sql<{
      id: number;
    }>`select id from attempts where id = any(${ids}::int[]) and work_removed_at is null
      and exists (select from task_results where attempt_id = attempts.id and output <> '') order by id`.execute(db());
    return rows.map(({ id }) => id);
  };

  it('is everything by default, and never less than some weeks', async () => {
    const { body } = await server.get('/api/admin/site', admin.token);
    assert.deepEqual([body.activity_days, body.work_days, body.account_days], [null, null, null]);
    const past = sql`now() - interval '9 years'`;
    const user = await server.user();
    const attempt = await finishAttempt(server, user, 'exam', exam, [true, false]);
    await age(attempt, 3000);
    await sql`update users set created_at = ${past} where id = ${user.id}`.execute(db());
    await unused(3300, user);
    await sql`insert into activity_log (user_id, type, created_at) values (${user.id}, 'login', ${past})`.execute(db());
    await run();
    assert.deepEqual([await workOf([attempt]), await entries()], [[attempt], []]);
    assert.equal((await server.get(`/api/admin/users/${user.id}`, admin.token)).status, 200);
    for (const [name, days] of Object.entries({ activity_days: 29, work_days: 0, account_days: 179 })) {
      const refused = await server.put('/api/admin/site', admin.token, { [name]: days });
      assert.deepEqual([refused.status, refused.body.detail[0].loc], [422, ['body', name]]);
      assert.equal((await server.get(`/api/admin/site/retention?${name}=${days}`, admin.token)).status, 422);
    }
    assert.deepEqual(await due('activity_days=3000&work_days=2999&account_days=3000'), {
      activity: 1,
      work: 1,
      accounts: 1,
    });
    assert.deepEqual(await due('work_days=3001'), { activity: 0, work: 0, accounts: 0 });
    await server.delete(`/api/admin/users/${user.id}`, admin.token);
  });

  it('has the activity log, in parts, with an entry that says how many went', async () => {
    await sql`insert into activity_log (type, title, created_at) select 'login', 'old', now() - interval '40 days' from generate_series(1, 5003)`.execute(
      db(),
    );
    await sql`insert into activity_log (type, title, created_at) values ('login', 'young', now() - interval '20 days')`.execute(
      db(),
    );
    assert.equal((await due('activity_days=30')).activity, 5003);
    await set({ activity_days: 30 });
    await run();
    await run();
    assert.deepEqual(await entries(), [{ activity: 5003, actor_id: null }]);
    const { rows } = await sql`select distinct title from activity_log where title in ('old', 'young')`.execute(db());
    assert.deepEqual(rows, [{ title: 'young' }]);
    await set({ activity_days: null });
    await forget();
  });

  // Long: each attempt differs from the others by what keeps its work.
  it('has the work behind results, unless somebody still needs it', async () => {
    const student = await server.user();
    const ids = [];
    for (let index = 0; index < 8; index += 1)
      ids.push(await finishAttempt(server, student, 'exam', exam, [true, false]));
    const [old, young, graded, reviewed, asked, regraded, running, abandoned] = ids as [
      number,
      ...number[],
    ] as number[];
    for (const id of ids) await age(id, id === young ? 39 : 41);
    await sql`update attempts set is_awaiting_grading = true, score = null, passed = null where id = ${graded}`.execute(
      db(),
    );
    await sql`insert into review_requests (attempt_id, text) values (${reviewed}, 'Why?')`.execute(db());
    await sql`insert into reopen_requests (attempt_id) values (${asked})`.execute(db());
    await sql`insert into regrades (kind, assessment_id, reason, status) values ('exam', ${exam}, 'A look', 'ready')`.execute(
      db(),
    );
    await sql`insert into regrade_attempts (regrade_id, attempt_id, status) select max(id), ${regraded}, 'done' from regrades`.execute(
      db(),
    );
    await sql`update attempts set status = 'in_progress', score = null, passed = null, submitted_at = null where id = ${running}`.execute(
      db(),
    );
    const lost = 'The container was lost, so there is nothing to grade';
    await sql`update attempts set status = 'abandoned', score = null, passed = null, submitted_at = null,
      grading_error = ${lost}, grading_error_code = 'container_lost' where id = ${abandoned}`.execute(db());
    await sql`insert into task_answers (attempt_id, task_id, text) select attempt_id, task_id, 'mine' from task_results`.execute(
      db(),
    );
    assert.equal((await due('work_days=40')).work, 2);
    await set({ work_days: 40 });
    await run();
    assert.deepEqual(
      await workOf(ids),
      ids.filter((id) => id !== old && id !== abandoned),
    );
    assert.deepEqual(await entries(), [{ work: 2, actor_id: null }]);
    const { body } = await server.get(`/api/instructor/attempts/${old}`, admin.token);
    const isRemoved = async (id: number | undefined) =>
      (await server.get(`/api/exams/attempts/${id}/results`, student.token)).body.is_work_removed;
    assert.deepEqual([body.is_work_removed, await isRemoved(old), await isRemoved(young)], [true, true, false]);
    assert.deepEqual(
      body.results.map(({ points_earned, output }: { points_earned: number; output: string }) => ({
        points_earned,
        output,
      })),
      [
        { points_earned: 1, output: '' },
        { points_earned: 0, output: '' },
      ],
      JSON.stringify(body),
    );
    const { rows } = await sql`select grading_error from attempts where id = ${abandoned}`.execute(db());
    assert.deepEqual(rows, [{ grading_error: lost }], 'it still does not count');

    // Nothing is left to grade or to go on with.
    await sql`update regrades set status = 'dropped', decided_at = now()`.execute(db());
    await sql`delete from attempts where id = ${running}`.execute(db());
    await sql`update attempts set needs_machine = false where id = ${old}`.execute(db());
    const path = `/api/instructor/attempts/${old}`;
    assert.equal((await server.post(`${path}/regrade`, admin.token, { reason: 'A look' })).status, 404);
    assert.equal((await server.post(`${path}/reopen`, admin.token, { minutes: 5 })).code, 'evidence_gone');
    await run();
    assert.deepEqual(
      await workOf(ids),
      ids.filter((id) => ![old, abandoned, regraded, running].includes(id)),
    );
    await set({ work_days: null });
    await forget();
    for (const table of ['attempts', 'regrades'] as const) await db().deleteFrom(table).execute();
  });

  it('leaves of an attempt what a deletion leaves that keeps results', async () => {
    const user = await server.user();
    await oneRowEach(db(), user.id);
    await sql`update review_requests set outcome = 'granted', answer = 'Yes', answered_at = now() where outcome is null`.execute(
      db(),
    );
    const { rows } = await sql<{ id: number }>`select id from attempts where container_name = 'finished'`.execute(db());
    const id = rows[0]?.id ?? 0;
    await age(id, 100);
    await set({ work_days: 90 });
    await run();
    await set({ work_days: null });
    const tables = await sql<{ name: string }>`select table_name as name from information_schema.columns
      where column_name = 'attempt_id' and table_schema = 'public'`.execute(db());
    const left = [];
    for (const { name } of tables.rows)
      if ((await sql`select from ${sql.table(name)} where attempt_id = ${id} limit 1`.execute(db())).rows.length > 0)
        left.push(name);
    assert.deepEqual(left.sort(), ['certificates', 'grading_claims', 'task_results']);
    await server.delete(`/api/admin/users/${user.id}`, admin.token);
    await forget();
  });

  // Long: accounts differ by what saves them, and go through notice, login and deletion.
  it('has accounts of students, who are notified before and saved by a login', async () => {
    const users: TestUser[] = [];
    for (let index = 0; index < 8; index += 1) users.push(await server.user());
    const [gone, back, examined, running, helper, fresh, calling, staying] = users as [
      TestUser,
      TestUser,
      TestUser,
      TestUser,
      TestUser,
      TestUser,
      TestUser,
      TestUser,
    ];
    const teacher = await server.user('instructor');
    const everybody = [...users, teacher, admin];
    await sql`update users set created_at = now() - interval '400 days'
      where id = any(${everybody.map(({ id }) => id)}::int[])`.execute(db());
    await unused(200, ...everybody);
    await unused(160, fresh);
    // It goes on, without a login.
    await sql`update logins set last_used_at = now() where user_id = ${staying.id}`.execute(db());
    const token = await server.post('/api/auth/tokens', calling.token, { name: 'a program', scopes: ['read'] });
    assert.equal((await server.get('/api/auth/me', token.body.token)).status, 200);
    await openSession(server, teacher, {
      ...{ exam_id: exam, class_id: await schoolClass(server, teacher, [examined]) },
      ...{ opens_at: minutes(60), closes_at: minutes(120) },
    });
    const attempt = await finishAttempt(server, running, 'exam', exam, [true, true]);
    await sql`update attempts set status = 'in_progress', score = null, passed = null, submitted_at = null where id = ${attempt}`.execute(
      db(),
    );
    await sql`insert into class_members (class_id, user_id, role) select max(id), ${helper.id}, 'assistant' from classes`.execute(
      db(),
    );
    const kept = await finishAttempt(server, gone, 'exam', exam, [true, false]);
    await set({ has_kept_results: true });
    const left = async () => {
      const all = await db().selectFrom('users').select('id').where('is_pseudonym', '=', false).execute();
      const ids = new Set(all.map(({ id }) => id));
      return users.filter(({ id }) => ids.has(id));
    };
    const notices = async (user: TestUser) => {
      const { body } = await server.get('/api/notifications', user.token);
      return body.filter(({ kind }: { kind: string }) => kind === 'account_deletion');
    };
    const later = (days: number) =>
      sql`update users set deletion_announced_at = deletion_announced_at - make_interval(days => ${days})`.execute(
        db(),
      );

    assert.equal((await due('account_days=190')).accounts, 3);
    await set({ account_days: 190 });
    await run();
    await run();
    assert.deepEqual(await left(), users, 'nobody goes without notice');
    const mails = () => smtp.mails.filter(({ subject }) => subject === 'Your account will be deleted');
    await until(() => mails().length >= 3, 'the mails');
    assert.deepEqual(
      mails()
        .map(({ recipients }) => recipients[0])
        .sort(),
      [gone, back, fresh].map(({ email }) => email).sort(),
    );
    assert.match(mails()[0]?.text ?? '', /will be deleted soon after /);
    const [notice, ...more] = await notices(gone);
    assert.deepEqual([more, Math.round((Date.parse(notice.until) - Date.now()) / 86_400_000)], [[], 30]);
    for (const user of [examined, running, helper, calling, staying, teacher, admin])
      assert.deepEqual(await notices(user), []);

    await later(29);
    await run();
    assert.deepEqual(await left(), users);
    const { status } = await server.post('/api/auth/login', undefined, {
      username: back.username,
      password: back.password,
    });
    assert.equal(status, 200);
    await later(2);
    await run();
    assert.deepEqual(
      await left(),
      users.filter((user) => user !== gone),
    );
    assert.deepEqual(await entries(), [{ accounts: 1, actor_id: null }]);
    const { rows } =
      await sql`select is_pseudonym from attempts join users on users.id = user_id where attempts.id = ${kept}`.execute(
        db(),
      );
    assert.deepEqual(rows, [{ is_pseudonym: true }]);

    // An announcement of long ago counts no more: there was a login since, or the setting was off.
    await unused(200, back, fresh);
    await later(40);
    await run();
    assert.deepEqual(
      await left(),
      users.filter((user) => user !== gone),
    );
    await later(31);
    await set({ account_days: null });
    await run();
    await set({ account_days: 3650 });
    await run();
    assert.deepEqual(
      await left(),
      users.filter((user) => user !== gone),
    );
  });

  it('is not removed twice by two processes, nor by a login in the last moment', async () => {
    const user = await server.user();
    await sql`update users set created_at = now() - interval '400 days', deletion_announced_at = now() - interval '31 days' where id = ${user.id}`.execute(
      db(),
    );
    await unused(400, user);
    await set({ account_days: 180 });
    const { db: other } = server.application;
    // The login is under way when the round finds the account.
    const login = other.transaction().execute(async (trx) => {
      await sql`update users set last_login_at = now() where id = ${user.id}`.execute(trx);
      const rounds = Promise.all([run(), run()]);
      await until(async () => {
        const { rows } =
          await sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(
            db(),
          );
        return rows.length > 0;
      }, 'the round to wait');
      return { rounds };
    });
    await (await login).rounds;
    assert.equal((await server.get(`/api/admin/users/${user.id}`, admin.token)).status, 200);
  });
});
