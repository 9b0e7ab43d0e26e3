import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { minutes, openSession, schoolClass } from '../exam-session.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { freePort } from '../free-port.ts';
import { makeAssessment } from '../made-assessment.ts';
import { MailServer, type ReceivedMail } from '../mail-server.ts';
import { describeLong, itLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';

const publicUrl = 'https://school.example.com';
const settings = (port: number) => ({
  ...{
    SMTP_URL: `smtp://127.0.0.1:${port}?tls=none`,
    MAIL_SENDER: 'noreply@school.example.com',
    PUBLIC_URL: publicUrl,
  },
  ...{
    mailRoundSeconds: 0.2,
    mailDelaySeconds: 0,
    mailRetrySeconds: 0.1,
    SECRET_KEY: 'x'.repeat(32),
    SCHOOL_TIME_ZONE: 'Europe/Berlin',
  },
});
const tokenOf = ({ text }: ReceivedMail): string => /#(\S+)/.exec(text)?.[1] ?? assert.fail(text);

describeLong('mail', { timeout: 600_000 }, () => {
  let smtp: MailServer;
  let server: TestServer;
  let admin: TestUser;
  let teacher: TestUser;
  let exam: number;
  before(async () => {
    smtp = await MailServer.listen();
    server = await TestServer.start({ ...settings(smtp.port), maxMailsPerHour: 4 });
    [admin, teacher] = [await server.user('admin'), await server.user('instructor')];
    exam = await makeAssessment(server, admin, 'exam', ['echo PASS']);
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await smtp?.[Symbol.asyncDispose]();
  });

  const db = () => server.application.db;
  // biome-ignore lint/suspicious/noExplicitAny: an answer
  async function good(answer: ReturnType<TestServer['post']>): Promise<any> {
    const { status, body, text } = await answer;
    assert.ok(status === 200 || status === 201, `${status} ${text}`);
    return body;
  }
  const forgot = (email: string, language = 'en') =>
    server.request('POST', '/api/auth/password/forgot', { json: { email }, headers: { 'accept-language': language } });
  const reset = (token: string, password: string) =>
    server.post('/api/auth/password/reset', undefined, { token, password });
  const logIn = (user: TestUser, password: string, language = 'en') =>
    server.request('POST', '/api/auth/login', {
      json: { username: user.username, password },
      headers: { 'accept-language': language },
    });
  const sentTo = (user: TestUser) => smtp.mails.filter(({ recipients }) => recipients.includes(user.email));
  /** Notifications of results, as the end of an attempt writes them. */
  async function notifyOfResults(user: TestUser, title = 'Results'): Promise<number> {
    const id = await finishAttempt(server, user, 'exam', exam, [true]);
    await db().updateTable('attempts').set({ title }).where('id', '=', id).execute();
    await sql`insert into notifications (user_id, key, kind, attempt_id) values (${user.id}, ${`results:${id}`}, 'results', ${id})
      on conflict do nothing`.execute(db());
    return id;
  }
  /** Waits until everything that is due was written and sent. */
  async function settled(): Promise<void> {
    await server.application.mail.round();
    const waiting = sql`select from mails where status = 'queued' and problem is null`;
    await until(async () => (await waiting.execute(db())).rows.length === 0, 'the end of sending');
  }

  describe('a forgotten password', () => {
    it('is replaced once by the link, which ends all logins, in the language of the request', async () => {
      const user = await server.user();
      const before = await forgot(user.email, 'fr, de-AT;q=0.9, en;q=0.5');
      const mail = await smtp.next(user.email, /Neues Passwort/);
      assert.match(mail.text, /https:\/\/school\.example\.com\/reset-password#\S{43}\n/);
      assert.match(mail.html, new RegExp(`href="${publicUrl}/reset-password#${tokenOf(mail)}"`));
      assert.doesNotMatch(mail.html, /<img|<script|<link|url\(/);
      assert.equal((await reset('x', 'a new password')).code, 'invalid_token');
      assert.equal((await reset(tokenOf(mail), 'short')).status, 422);
      const { status, text } = await reset(tokenOf(mail), 'a new password');
      assert.equal(status, 200, text);
      assert.equal((await server.get('/api/auth/me', user.token)).status, 401, 'other logins have ended');
      assert.equal((await logIn(user, user.password)).status, 401);
      assert.equal((await logIn(user, 'a new password')).status, 200);
      const again = await reset(tokenOf(mail), 'another password');
      assert.deepEqual([again.status, again.code], [400, 'invalid_token']);
      const { rows } = await sql`select from mails where sealed_secret is not null and user_id = ${user.id}`.execute(
        db(),
      );
      assert.equal(rows.length, 0, 'the secret is gone with the mail');
      const entry = sql`select from activity_log where user_id = ${user.id} and type = 'password_reset'`;
      assert.equal((await entry.execute(db())).rows.length, 1);
      const unknown = await forgot('nobody@example.com');
      assert.deepEqual([unknown.status, unknown.text], [before.status, before.text]);
    });

    it('has one winner of two at once', async () => {
      const user = await server.user();
      await forgot(user.email);
      const token = tokenOf(await smtp.next(user.email, /new password/));
      const passwords = ['first password', 'second password'];
      const answers = await Promise.all(passwords.map((password) => reset(token, password)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400]);
      const winner = passwords[answers.findIndex(({ status }) => status === 200)] ?? '';
      assert.equal((await logIn(user, winner)).status, 200);
    });

    it('ends with its time, with another password and with another address', async () => {
      const changes: ((user: TestUser) => Promise<unknown>)[] = [
        ({ id }) => sql`update mail_tokens set expires_at = now() where user_id = ${id}`.execute(db()),
        ({ password: old_password, token }) =>
          good(server.put('/api/auth/password', token, { old_password, new_password: 'chosen meanwhile' })),
        ({ id }) => good(server.put(`/api/admin/users/${id}`, admin.token, { email: `moved-${id}@example.com` })),
        ({ id }) => good(server.put(`/api/admin/users/${id}`, admin.token, { is_active: false })),
      ];
      for (const change of changes) {
        const user = await server.user();
        await forgot(user.email);
        const token = tokenOf(await smtp.next(user.email, /new password/));
        await change(user);
        assert.equal((await reset(token, 'too late now')).code, 'invalid_token');
      }
    });

    it('is mailed three times an hour to an account, and to none that is not there', async () => {
      const user = await server.user();
      for (const _time of Array.from({ length: 5 })) await forgot(user.email.toUpperCase());
      // The requests are done one after another.
      const last = await server.user();
      await forgot(last.email);
      await smtp.next(last.email, /new password/);
      const { rows } = await sql`select from mail_tokens where user_id = ${user.id}`.execute(db());
      assert.equal(rows.length, 3);
      assert.ok(sentTo(user).length <= 3);
    });
  });

  it('an address that a user chooses is confirmed by a link, and until then gets no news', async () => {
    const account = { username: 'zoë', email: 'zoe@school.edu', password: 'a good password' };
    const json = { ...account, full_name: 'Zoë\r\nBcc: x@example.com' };
    const { id } = await good(
      server.request('POST', '/api/auth/register', { json, headers: { 'accept-language': 'ru' } }),
    );
    const { access_token: token } = await good(server.post('/api/auth/login', undefined, account));
    const user = { id, ...account, token };
    assert.deepEqual(await good(server.get('/api/auth/email', token)), { email: account.email, status: 'unconfirmed' });
    await notifyOfResults(user);
    const mail = await smtp.next(account.email, /Подтвердите/);
    await settled();
    assert.equal(sentTo(user).length, 1, 'no results');
    assert.match(mail.text, /Здравствуйте, Zoë Bcc: x@example\.com!/);
    assert.equal(mail.headers.get('bcc'), undefined);
    await good(server.post('/api/auth/email/check', token));
    const confirmed = { token: tokenOf(mail) };
    await good(server.post('/api/auth/email/confirm', undefined, confirmed));
    assert.equal((await server.post('/api/auth/email/confirm', undefined, confirmed)).code, 'invalid_token');
    assert.equal((await good(server.get('/api/auth/email', token))).status, 'confirmed');
    await smtp.next(account.email, /Results/);
    await good(server.put('/api/profile/me', token, { email: 'other@school.edu' }));
    await smtp.next('other@school.edu', /Confirm|Подтвердите/);
    assert.equal((await good(server.get('/api/auth/email', token))).status, 'unconfirmed');
    assert.equal((await good(server.get('/api/auth/email', admin.token))).status, 'given');
  });

  it('another address is chosen soon after a login only, where there is mail', async () => {
    const user = await server.user();
    const age = sql`update logins set created_at = now() - interval '16 minutes' where user_id = ${user.id}`;
    await age.execute(db());
    const { status, code } = await server.put('/api/profile/me', user.token, { email: 'thief@school.edu' });
    assert.deepEqual([status, code], [403, 'login_not_recent']);
    await good(server.put('/api/profile/me', user.token, { email: user.email.toUpperCase(), bio: 'New' }));
    await using without = await TestServer.start();
    const other = await without.user();
    await sql`update logins set created_at = now() - interval '16 minutes'`.execute(without.application.db);
    await good(without.put('/api/profile/me', other.token, { email: 'new@school.edu' }));
  });

  it('three links an hour are all that changes of the address send, to whomever', async () => {
    const user = await server.user();
    for (let count = 0; count < 5; count += 1) {
      await good(server.put('/api/profile/me', user.token, { email: `victim${count}@school.edu` }));
      await settled();
    }
    const isOfVictim = (address: string) => /^victim\d@school\.edu$/.test(address);
    assert.equal(smtp.mails.filter(({ recipients }) => recipients.some(isOfVictim)).length, 3);
    assert.equal((await good(server.get('/api/auth/email', user.token))).status, 'unconfirmed');
  });

  it('no mail is written to an account without an address', async () => {
    const user = await server.user();
    const { db } = server.application;
    await db
      .updateTable('users')
      .set({ email: `${user.id}@no-address.invalid` })
      .where('id', '=', user.id)
      .execute();
    await good(server.post(`/api/admin/users/${user.id}/invitation`, admin.token));
    await notifyOfResults(user);
    await settled();
    assert.deepEqual(await db.selectFrom('mails').selectAll().where('user_id', '=', user.id).execute(), []);
  });

  it('an invitation is sent to whom it invites', async () => {
    const user = await server.user();
    const { code } = await good(server.post(`/api/admin/users/${user.id}/invitation`, admin.token));
    const mail = await smtp.next(user.email, /account is ready/);
    assert.equal(tokenOf(mail), code);
    assert.match(mail.text, /\(Europe\/Berlin\)/);
  });

  it('students learn when an exam is planned and moved, in the language of their last login', async () => {
    const [student, other] = [await server.user(), await server.user()];
    await logIn(student, student.password, 'de');
    await good(server.put('/api/notifications/mail-settings', other.token, { exam_planned: false }));
    const class_id = await schoolClass(server, teacher, [student, other]);
    const times = { opens_at: '2099-01-12T09:00:00Z', closes_at: '2099-01-12T11:00:00Z' };
    const title = 'Linux\r\nBcc: victim@example.com <b>&';
    const session = await openSession(server, teacher, { exam_id: exam, class_id, title: 'Linux', ...times });
    await db().updateTable('exam_sessions').set({ title }).where('id', '=', session.id).execute();
    const planned = await smtp.next(student.email, /Prüfung geplant: Linux/);
    assert.match(planned.text, /Montag, 12\. Januar 2099 um 10:00 \(Europe\/Berlin\)/);
    assert.match(planned.text, new RegExp(`${publicUrl}/exams/${exam}\n`));
    await good(server.put(`/api/exam-sessions/${session.id}`, teacher.token, { opens_at: '2099-01-12T09:30:00Z' }));
    const moved = await smtp.next(student.email, /Prüfung verschoben/);
    assert.match(moved.text, /10:30/);
    assert.equal(moved.headers.get('bcc'), undefined);
    assert.match(moved.html, /&lt;b&gt;&amp;/);
    await settled();
    assert.deepEqual([sentTo(student).length, sentTo(other).length], [2, 0]);
    const late = await server.user();
    await good(server.post(`/api/classes/${class_id}/members`, teacher.token, { user_id: late.id }));
    const added = await smtp.next(late.email, /Exam planned/);
    assert.match(added.text, /10:30/);
    await settled();
    assert.deepEqual([sentTo(student).length, sentTo(late).length], [2, 1]);
    await openSession(server, teacher, { exam_id: exam, class_id });
    await settled();
    assert.equal(sentTo(student).length, 2, 'one that is open already is no plan');
  });

  it('results and answered reviews are told once, if they are not read, switched off or withheld', async () => {
    const [student, reader, mutes, mailsOff] = await Promise.all([1, 2, 3, 4].map(() => server.user()));
    if (!student || !reader || !mutes || !mailsOff) assert.fail();
    await good(server.put('/api/notifications/settings', mutes.token, { results: false }));
    const off = await good(server.put('/api/notifications/mail-settings', mailsOff.token, { results: false }));
    assert.deepEqual(off, { exam_planned: true, results: false, feedback: true, hands: true });
    assert.deepEqual(await good(server.get('/api/notifications/mail-settings', mailsOff.token)), off);
    const attempt = await finishAttempt(server, student, 'exam', exam, [true]);
    await sql`insert into review_requests (attempt_id, text, outcome, answer, answered_by, answered_at)
      values (${attempt}, 'Why?', 'granted', 'So', ${teacher.id}, now())`.execute(db());
    await sql`insert into notifications (user_id, key, kind, attempt_id, read_at)
      values (${student.id}, 'grade:' || ${attempt}::int, 'grade', ${attempt}, null),
        (${reader.id}, 'results:0', 'results', ${attempt}, now())`.execute(db());
    for (const user of [student, mutes, mailsOff]) await notifyOfResults(user, 'Networks');
    const mail = await smtp.next(student.email, /^Results: Networks$/);
    assert.match(mail.text, /\/exams\/results\/\d+\n/);
    await smtp.next(student.email, /Your review was answered/);
    await settled();
    await settled();
    assert.deepEqual(
      [student, reader, mutes, mailsOff].map((user) => sentTo(user).length),
      [2, 0, 0, 0],
    );
  });

  it('an address gets no more than it may in an hour, the rest later', async () => {
    const student = await server.user();
    for (let count = 0; count < 6; count += 1) await notifyOfResults(student);
    await until(() => sentTo(student).length === 4, 'as many mails as an hour has');
    await settled();
    assert.equal(sentTo(student).length, 4);
    await sql`update mails set created_at = now() - interval '61 minutes' where user_id = ${student.id}`.execute(db());
    await until(() => sentTo(student).length === 6, 'the rest');
  });

  it('raised hands that nobody sees to are one mail an hour for the staff', async () => {
    const helper = await server.user('instructor');
    const students = await Promise.all([1, 2].map(() => server.user()));
    const raise = async (student: TestUser | undefined, key: string) => {
      const { id: container_id } = await db()
        .insertInto('containers')
        .values({
          ...{
            name: `hand-${student?.id}`,
            user_id: student?.id ?? 0,
            kind: 'sandbox',
            image: 'none',
            status: 'failed',
          },
          expires_at: new Date(minutes(60)),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await sql`with hand as (insert into hands (user_id, container_id, title, text) values (${student?.id}, ${container_id}, 'Lesson', '') returning id)
        insert into notifications (user_id, key, kind, hand_id) select ${helper.id}, ${key}::text, 'hand', id from hand`.execute(
        db(),
      );
    };
    await raise(students[0], 'hand:1');
    const mail = await smtp.next(helper.email, /^A raised hand$/);
    assert.match(mail.text, new RegExp(`- ${students[0]?.username}\n`));
    await raise(students[1], 'hand:2');
    await settled();
    assert.equal(sentTo(helper).length, 1);
    await sql`update mails set created_at = now() - interval '2 hours' where user_id = ${helper.id}`.execute(db());
    await smtp.next(helper.email, /^2 raised hands$/);
  });

  it('administrators test it, and see, repeat and delete what failed', async () => {
    const answer = await good(server.post('/api/admin/mails/test', admin.token));
    assert.deepEqual([answer.is_sent, answer.recipient], [true, admin.email]);
    assert.match(answer.answer, /queued as test/);
    smtp.refusals = [{ code: 550, message: '5.1.1 No such mailbox' }];
    assert.deepEqual((await good(server.post('/api/admin/mails/test', admin.token))).is_sent, false);

    const [student, second] = [await server.user(), await server.user()];
    const list = async () => await good(server.get('/api/admin/mails', admin.token));
    for (const user of [student, second]) {
      smtp.refusals = [{ code: 550, message: '5.1.1 No such mailbox' }];
      await forgot(user.email);
      await until(async () => (await list())[0]?.user_id === user.id, 'a failed mail');
    }
    const [last, first] = await list();
    assert.deepEqual(
      [first.status, first.kind, first.attempts, first.next_attempt_at],
      ['failed', 'password', 1, null],
    );
    assert.match(first.problem, /550 5\.1\.1 No such mailbox/);
    assert.ok(!JSON.stringify(first).includes('reset-password'));
    await good(server.delete(`/api/admin/mails/${last.id}`, admin.token));
    assert.equal((await server.post(`/api/admin/mails/${last.id}/send`, admin.token)).status, 404);
    await good(server.post(`/api/admin/mails/${first.id}/send`, admin.token));
    await smtp.next(student.email, /new password/);
    await until(async () => (await list()).length === 0, 'an empty list');
    assert.equal((await server.delete(`/api/admin/mails/${first.id}`, admin.token)).status, 404);
  });

  it('what is refused for now is tried again, and given up when it is of no use any more', async () => {
    const [student, late] = [await server.user(), await server.user()];
    smtp.refusals = [1, 2, 3].map(() => ({ code: 451, message: '4.3.0 Try later' }));
    await forgot(student.email);
    await smtp.next(student.email, /new password/);
    const tried = sql<{ attempts: number }>`select attempts from mails where user_id = ${student.id}`;
    assert.equal((await tried.execute(db())).rows[0]?.attempts, 4);

    smtp.refusals = Array.from({ length: 50 }, () => ({ code: 451, message: '4.3.0 Try later' }));
    await forgot(late.email);
    const failed = () =>
      sql`update mails set expires_at = now() where user_id = ${late.id} and attempts > 1 and status = 'queued'`.execute(
        db(),
      );
    const state = sql`select from mails where user_id = ${late.id} and status = 'failed' and sealed_secret is null`;
    await until(async () => (await failed()) && (await state.execute(db())).rows.length > 0, 'the end of the attempts');
    smtp.refusals = [];
  });

  it('old mails and links are deleted', async () => {
    const student = await server.user();
    await notifyOfResults(student);
    await smtp.next(student.email, /Results/);
    await settled();
    await sql`update mails set ended_at = now() - interval '8 days' where user_id = ${student.id}`.execute(db());
    await sql`update notifications set read_at = now() where user_id = ${student.id}`.execute(db());
    await server.application.mail.clean();
    const left = sql`select from mails where user_id = ${student.id}`;
    assert.equal((await left.execute(db())).rows.length, 0);
  });
});

itLong(
  'a mail waits for a server that is away, also over a restart, and is sent once',
  { timeout: 600_000 },
  async () => {
    const port = await freePort();
    await using first = await TestServer.start(settings(port), {}, 1);
    const user = await first.user();
    const { db } = first.application;
    await first.request('POST', '/api/auth/password/forgot', { json: { email: user.email } });
    const attempts = async () =>
      (await sql<{ attempts: number; problem: string }>`select attempts, problem from mails`.execute(db)).rows[0];
    await until(async () => ((await attempts())?.attempts ?? 0) > 1, 'attempts');
    assert.match((await attempts())?.problem ?? '', /ECONNREFUSED/);
    // A process that died while it sent: its attempt counts as lost after its time.
    await sql`update mails set due_at = now() + interval '10 minutes'`.execute(db);
    await using second = await TestServer.start(settings(port), { database: first.database }, 1);
    await using smtp = await MailServer.listen(port);
    await sql`update mails set due_at = now()`.execute(db);
    const mail = await smtp.next(user.email, /new password/);
    await Promise.all([first, second].map(({ application }) => application.mail.sendDue()));
    const ended = sql`select from mails where status = 'sent'`;
    await until(async () => (await ended.execute(db)).rows.length === 1, 'the end');
    assert.equal(smtp.mails.length, 1);
    assert.match(mail.headers.get('message-id')?.[0] ?? '', /^<1\.\d+@school\.example\.com>$/);
  },
);

itLong('without a mail server nothing is written, and everything works as before', { timeout: 600_000 }, async () => {
  await using server = await TestServer.start();
  const [user, admin] = [await server.user(), await server.user('admin')];
  assert.equal((await server.get('/api/site')).body.has_mail, false);
  const { status } = await server.post('/api/auth/password/forgot', undefined, { email: user.email });
  assert.equal(status, 200);
  const json = { username: 'zoe', email: 'zoe@school.edu', password: 'a good password' };
  const { body } = await server.post('/api/auth/register', undefined, json);
  assert.equal((await server.post(`/api/admin/users/${body.id}/invitation`, admin.token)).status, 201);
  assert.equal((await server.post('/api/admin/mails/test', admin.token)).code, 'mail_off');
  assert.deepEqual((await server.get('/api/admin/mails', admin.token)).body, []);
  const { db } = server.application;
  for (const table of ['mails', 'mail_tokens', 'address_checks', 'notification_settings'] as const)
    assert.equal((await db.selectFrom(table).selectAll().execute()).length, 0, table);
});
