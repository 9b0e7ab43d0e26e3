import assert from 'node:assert/strict';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { outsideFetch } from '../../packages/outside-requests/outside-fetch.ts';
import { createTestDatabase } from '../database.ts';
import { minutes, openSession, schoolClass } from '../exam-session.ts';
import { finishAttempt } from '../finished-attempt.ts';
import { LocalRepository } from '../git-repository.ts';
import { makeAssessment } from '../made-assessment.ts';
import { describeLong } from '../rounds.ts';
import { TestServer, type TestUser } from '../server.ts';
import { until } from '../until.ts';
import { rightSignatures, WebhookReceiver } from '../webhook-receiver.ts';

const path = '/api/admin/webhooks';

describeLong('webhooks', { timeout: 600_000 }, () => {
  let receiver: WebhookReceiver;
  let server: TestServer;
  let admin: TestUser;
  let teacher: TestUser;
  let exam: number;
  before(async () => {
    receiver = await WebhookReceiver.listen();
    const settings = { PRIVATE_PROVIDERS: 'true', webhookRetrySeconds: 0.05 };
    server = await TestServer.start(settings, { engine: { reason: 'this test has none' } });
    [admin, teacher] = [await server.user('admin'), await server.user('instructor')];
    exam = await makeAssessment(server, admin, 'exam', ['echo PASS']);
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await receiver?.[Symbol.asyncDispose]();
  });

  const db = () => server.application.db;
  const hooks = () => server.application.webhooks;
  // biome-ignore lint/suspicious/noExplicitAny: an answer
  async function good(answer: ReturnType<TestServer['post']>): Promise<any> {
    const { status, body, text } = await answer;
    assert.ok(status === 200 || status === 201, `${status} ${text}`);
    return body;
  }
  const add = (at: string, ...events: string[]) =>
    good(
      server.post(path, admin.token, { url: receiver.url(at), events: events.length > 0 ? events : ['member.added'] }),
    );
  const change = (id: number, json: object) =>
    good(server.request('PATCH', `${path}/${id}`, { token: admin.token, json }));
  const test = (id: number) => good(server.post(`${path}/${id}/test`, admin.token));
  // biome-ignore lint/suspicious/noExplicitAny: an answer
  const deliveries = async (id: number): Promise<any[]> =>
    await good(server.get(`${path}/${id}/deliveries`, admin.token));
  async function round(): Promise<void> {
    await hooks().round();
    await hooks().idle();
  }
  // biome-ignore lint/suspicious/noExplicitAny: an answer
  async function listed(id: number): Promise<any> {
    return (await good(server.get(path, admin.token))).find((one: { id: number }) => one.id === id);
  }

  it('are signed as Standard Webhooks says, with both secrets after a rotation, which are shown once', async () => {
    const { id, secret } = await add('/signed');
    assert.match(secret, /^whsec_[\w+/]{43}=$/);
    assert.equal('secret' in (await listed(id)), false);
    await test(id);
    await receiver.next('/signed', 'test', { webhook_id: id });
    const { secret: second } = await good(server.post(`${path}/${id}/rotate-secret`, admin.token));
    await test(id);
    await until(() => receiver.at('/signed').length === 2, 'the second test');
    const [one, two] = receiver.at('/signed');
    assert.ok(one && two);
    assert.deepEqual(
      [secret, second].map((key) => rightSignatures(one, key)),
      [1, 0],
    );
    assert.deepEqual(
      [secret, second].map((key) => rightSignatures(two, key)),
      [1, 1],
    );
    assert.equal(rightSignatures({ ...two, body: `${two.body} ` }, second), 0);
    await sql`update webhooks set old_secret_until = now() where id = ${id}`.execute(db());
    await test(id);
    await until(() => receiver.at('/signed').length === 3, 'the third test');
    const third = receiver.at('/signed')[2];
    assert.ok(third);
    assert.deepEqual(
      [secret, second].map((key) => rightSignatures(third, key)),
      [0, 1],
    );
    const { text } = await server.get('/api/admin/activity', admin.token);
    assert.ok(text.includes('admin_webhook_create') && !text.includes('whsec_'));
  });

  it('report members, attempts, content and results, these once their student may see them', async () => {
    const { id: hook } = await add('/events', 'attempt.graded', 'member.added', 'member.removed', 'content.published');
    const student = await server.user();
    const class_id = await schoolClass(server, teacher, [student]);
    await round();
    const added = await receiver.next('/events', 'member.added', { class_id, user_id: student.id });
    assert.deepEqual(added.data, { class_id, user_id: student.id, username: student.username, role: 'student' });
    const session = await openSession(server, teacher, {
      ...{ exam_id: exam, class_id, results_visible: 'when_released' },
      ...{ opens_at: minutes(-5), closes_at: minutes(60) },
    });
    const attempt = await finishAttempt(server, student, 'exam', exam, [true]);
    // As a grading ends it: the row is changed.
    await sql`update attempts set status = 'in_progress', score = null, passed = null, submitted_at = null, session_id = ${session.id} where id = ${attempt}`.execute(
      db(),
    );
    await sql`update attempts set status = 'finished', score = 1, passed = true, submitted_at = now() where id = ${attempt}`.execute(
      db(),
    );
    await round();
    assert.equal((await deliveries(hook)).filter(({ event }) => event === 'attempt.graded').length, 0, 'withheld');
    await good(server.post(`/api/exam-sessions/${session.id}/release`, teacher.token));
    await round();
    const { data } = await receiver.next('/events', 'attempt.graded', { attempt_id: attempt });
    const whose = { attempt_id: attempt, kind: 'exam', assessment_id: exam, session_id: session.id, class_id };
    assert.deepEqual(data, {
      ...{ ...whose, user_id: student.id, username: student.username },
      ...{ score: 1, max_score: data.max_score, passed: true, is_counted: true },
    });
    await round();
    assert.equal((await deliveries(hook)).filter(({ event }) => event === 'attempt.graded').length, 1, 'once');
    await server.delete(`/api/classes/${class_id}/members/${student.id}`, teacher.token);
    await server.post('/api/admin/lessons/courses', admin.token, { name: 'Published' });
    await round();
    await receiver.next('/events', 'member.removed', { user_id: student.id });
    await receiver.next('/events', 'content.published', { kind: 'course' });
  });

  it('report the start and the submission of an attempt', async () => {
    const { id: hook } = await add('/attempts', 'attempt.started', 'attempt.submitted');
    const student = await server.user();
    const attempt = await finishAttempt(server, student, 'exam', exam, [true]);
    const become = (values: string) => sql`update attempts set ${sql.raw(values)} where id = ${attempt}`.execute(db());
    await become(`status = 'starting', score = null, passed = null, submitted_at = null`);
    await become(`status = 'in_progress'`);
    await become(`status = 'grading', submitted_at = now()`);
    await round();
    for (const event of ['attempt.started', 'attempt.submitted'])
      await receiver.next('/attempts', event, { attempt_id: attempt, username: student.username });
    assert.equal((await deliveries(hook)).length, 2);
  });

  it('are sent again with growing waits and the same id, after a crash too, and replayed', async () => {
    const { id } = await add('/retries');
    receiver.answers.set('/retries', [
      { code: 500 },
      { code: 302, headers: { location: '/elsewhere' } },
      { code: 204 },
    ]);
    const { id: delivery, message_id } = await test(id);
    await until(async () => {
      await round();
      return (await deliveries(id))[0].status === 'delivered';
    }, 'the third attempt');
    assert.deepEqual(
      (await deliveries(id)).map(({ attempts, code }) => [attempts, code]),
      [[3, 204]],
    );
    assert.equal(receiver.at('/elsewhere').length, 0);
    // A process that dies between the answer and its mark leaves this.
    await sql`update webhook_deliveries set status = 'queued', ended_at = null, due_at = now() where id = ${delivery}`.execute(
      db(),
    );
    await round();
    await good(server.post(`${path}/${id}/deliveries/${delivery}/replay`, admin.token));
    await until(() => receiver.at('/retries').length === 5, 'the replay');
    const ids = new Set(receiver.at('/retries').map(({ headers }) => headers['webhook-id']));
    assert.deepEqual([...ids], [message_id]);
    assert.equal(new Set(receiver.at('/retries').map(({ body }) => body)).size, 1);
    assert.equal((await server.post(`${path}/${id}/deliveries/2000000000/replay`, admin.token)).status, 404);
  });

  it('wait as long as `Retry-After` says, and end after a day', async () => {
    const { id } = await add('/busy');
    receiver.answers.set('/busy', [{ code: 503, headers: { 'retry-after': '3600' } }, { code: 500 }]);
    const { id: delivery } = await test(id);
    await until(async () => (await deliveries(id))[0].code === 503, 'the first answer');
    const [{ due_at, status }] = await deliveries(id);
    assert.equal(status, 'queued');
    assert.ok(Date.parse(due_at) > Date.now() + 3_500_000);
    await sql`update webhook_deliveries set due_at = now(), expires_at = now() where id = ${delivery}`.execute(db());
    await round();
    assert.deepEqual(
      (await deliveries(id)).map((one) => [one.status, one.code]),
      [['failed', 500]],
    );
  });

  it('are paused by 410, by days of failure and by administrators, and write nothing meanwhile', async () => {
    const [gone, failing] = [await add('/gone'), await add('/failing')];
    const notices = async () => {
      const { body } = await server.get('/api/notifications', admin.token);
      const ofHooks = body.filter(({ kind }: { kind: string }) => kind === 'webhook');
      return ofHooks.map(({ key, title }: { key: string; title: string }) => `${key} ${title}`).sort();
    };
    const notice = ({ id }: { id: number }) => `webhook:${id} ${new URL(receiver.url('/')).host}`;
    receiver.answers.set('/gone', [{ code: 410 }]);
    receiver.answers.set('/failing', [{ code: 500 }]);
    await sql`update webhooks set failing_since = now() - interval '4 days' where id = ${failing.id}`.execute(db());
    for (const { id } of [gone, failing]) await test(id);
    await until(async () => (await listed(failing.id)).pause_reason === 'failing', 'the pause after days');
    await until(async () => (await listed(gone.id)).pause_reason === 'gone', 'the pause by 410');
    assert.deepEqual(await notices(), [notice(gone), notice(failing)].sort());
    assert.equal((await server.get('/api/notifications', teacher.token)).text.includes('webhook'), false);
    const student = await server.user();
    await schoolClass(server, teacher, [student]);
    assert.equal((await deliveries(gone.id)).length, 1);
    const resumed = await change(gone.id, { is_paused: false, events: ['member.removed'] });
    assert.deepEqual([resumed.pause_reason, resumed.events], [null, ['member.removed']]);
    assert.deepEqual(await notices(), [notice(failing)]);
    assert.equal((await change(gone.id, { is_paused: true })).pause_reason, 'asked');
    assert.match((await server.get('/api/admin/activity', admin.token)).text, /admin_webhook_pause/);
    await good(server.delete(`${path}/${failing.id}`, admin.token));
    assert.deepEqual(await notices(), []);
    await good(server.delete(`${path}/${gone.id}`, admin.token));
    assert.equal((await server.get(`${path}/${gone.id}/deliveries`, admin.token)).status, 404);
  });

  it('of a slow receiver delay no other', async () => {
    const [slow, quick] = [
      await add('/slow'),
      await good(
        server.post(path, admin.token, {
          url: receiver.url('/quick').replace('127.0.0.1', 'localhost'),
          events: ['member.added'],
        }),
      ),
    ];
    receiver.answers.set(
      '/slow',
      Array.from({ length: 8 }, () => ({ code: 204, isSilent: true })),
    );
    await Promise.all(Array.from({ length: 8 }, () => test(slow.id)));
    await until(() => receiver.at('/slow').length === 4, 'as many as one host gets', 10_000);
    await test(quick.id);
    await until(() => receiver.at('/quick').length === 1, 'the quick one');
    assert.equal(receiver.at('/slow').length, 4);
    await good(server.delete(`${path}/${slow.id}`, admin.token));
  });

  it('write nothing where there is none, and keep a bounded number', async () => {
    const { id } = await add('/kept');
    await sql`insert into webhook_deliveries (webhook_id, event, body, status, ended_at)
      select ${id}, 'test', '{}', 'delivered', now() - number * interval '1 hour' from generate_series(1, 1200) as number`.execute(
      db(),
    );
    await hooks().clean();
    const rows = await deliveries(id);
    assert.ok(rows.length < 14 * 24 + 1, `${rows.length}`);
    for (const one of await good(server.get(path, admin.token))) await server.delete(`${path}/${one.id}`, admin.token);
    await schoolClass(server, teacher, [await server.user()]);
    const { rows: left } = await sql`select from webhook_deliveries union all select from webhook_results`.execute(
      db(),
    );
    assert.equal(left.length, 0);
  });

  it('refuse addresses that are no addresses, and fields that they do not have', async () => {
    const events = ['member.added'];
    for (const url of ['hooks', 'ftp://example.com/', 'https://u:p@example.com/', 'https://example.com/#x'])
      assert.equal((await server.post(path, admin.token, { url, events })).status, 422, url);
    for (const wrong of [[], ['exam.deleted'], ['member.added', 'member.added']])
      assert.equal((await server.post(path, admin.token, { url: 'https://example.com/', events: wrong })).status, 422);
    for (let number = 0; number < 20; number += 1) await add(`/many/${number}`);
    assert.equal((await server.post(path, admin.token, { url: 'https://example.com/', events })).status, 409);
  });
});

describeLong('webhooks of new lessons', { timeout: 600_000 }, () => {
  // Long: one life of an installation, from its first commit to a restart.
  it('report each commit of the repository of the service once, by several replicas and after a restart', async () => {
    await using receiver = await WebhookReceiver.listen();
    await using database = await createTestDatabase();
    await using repository = await LocalRepository.create();
    const settings = { PRIVATE_PROVIDERS: 'true', LESSONS_REPO_URL: repository.path, SECRET_KEY: 'key'.repeat(20) };
    const outside = { engine: { reason: 'this test has none' }, database: database.address };
    // Each has a mirror of its own.
    const start = () => TestServer.start(settings, outside, 1);
    await using one = await start();
    const admin = await one.user('admin');
    const url = receiver.url('/lessons');
    const { body: hook } = await one.post(path, admin.token, { url, events: ['content.published'] });
    const { db } = one.application;
    const events = async () => {
      const { body } = await one.get(`${path}/${hook.id}/deliveries`, admin.token);
      return body.map(({ event }: { event: string }) => event);
    };
    let commits = 0;
    async function commitAndFetch(...servers: TestServer[]): Promise<void> {
      commits += 1;
      const commit = await repository.commit({ 'a.md': `# ${commits}` });
      const fetched = servers.map((server) => server.post('/api/lessons/refresh-repository', admin.token));
      for (const { status, text } of await Promise.all(fetched)) assert.equal(status, 200, text);
      const seen = db.selectFrom('lesson_commits').select('commit').where('commit', '=', commit);
      await until(async () => (await seen.execute()).length === 1, 'the commit to be seen');
    }
    {
      await using two = await start();
      await commitAndFetch(one, two);
      assert.deepEqual(await events(), [], 'the first is where it begins');
      await commitAndFetch(one, two, one, two);
      await commitAndFetch(two, one);
    }
    // Its end has written what it has seen.
    assert.equal((await events()).length, 2);
    await using restarted = await start();
    await commitAndFetch(restarted);
    await commitAndFetch(one, restarted);
    await restarted[Symbol.asyncDispose]();
    assert.deepEqual(await events(), Array(4).fill('content.published'));
    await until(() => receiver.at('/lessons').length === 4, 'the messages');
    for (const { body } of receiver.at('/lessons'))
      assert.deepEqual(JSON.parse(body).data, { kind: 'repository', id: null });
  });
});

describeLong('webhooks to private addresses', { timeout: 600_000 }, () => {
  it('are refused, whatever their names say when they are resolved', async (t) => {
    await using server = await TestServer.start({}, { engine: { reason: 'this test has none' } });
    const admin = await server.user('admin');
    const add = (url: string) => server.post(path, admin.token, { url, events: ['member.added'] });
    const hosts = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1', '2130706433'];
    for (const url of [...hosts.map((host) => `https://${host}/`), 'http://example.com/'])
      assert.equal((await add(url)).status, 422, url);
    const { body, text } = await add('https://localhost:1/');
    assert.ok(body.id, text);
    await server.post(`${path}/${body.id}/test`, admin.token);
    const last = async () => (await server.get(`${path}/${body.id}/deliveries`, admin.token)).body[0];
    await until(async () => (await last()).problem === 'private', 'the refusal');
    assert.equal((await last()).code, null);

    // The name has a public address first, and a private one when the request connects.
    const answers = ['8.8.8.8', '127.0.0.1'];
    t.mock.method(dns, 'lookup', ((_host: string, _options: object, done: (error: null, found: object[]) => void) =>
      done(null, [{ address: answers.shift() ?? '127.0.0.1', family: 4 }])) as never);
    syncBuiltinESMExports();
    try {
      await new Promise<void>((resolve) => dns.lookup('rebinding.example.com', { all: true }, () => resolve()));
      const fetch = outsideFetch({ allowsPrivate: false, maxBytes: 100, timeoutMs: 60_000 });
      await assert.rejects(
        fetch('https://rebinding.example.com/'),
        ({ problem, cause }: { problem: string; cause?: { problem: string } }) =>
          [problem, cause?.problem].includes('private'),
      );
    } finally {
      t.mock.restoreAll();
      syncBuiltinESMExports();
    }
  });
});
