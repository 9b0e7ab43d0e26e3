import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { AttemptKind } from '../../src/database/tables.ts';
import { type ApiDocument, withoutReferences } from '../documented-answers.ts';
import { describeLong } from '../rounds.ts';
import { oneRowEach } from '../rows-of-every-table.ts';
import { TestServer, type TestUser } from '../server.ts';

/** A marker in all private data of the victim. */
const canary = 'canary-7b2f';

/** Ids of other users in a query string or a body. `test/api/access.test.ts` tests those in a path. */
describeLong('an id of another user in a query string or a body', () => {
  let server: TestServer;
  let document: ApiDocument;
  let mallory: TestUser;
  let victim: TestUser;
  let ids: Record<string, number>;
  before(async () => {
    server = await TestServer.start({}, { engine: { reason: 'this test has none' } });
    document = withoutReferences((await server.get('/api/openapi.json')).body);
    [mallory, victim] = [await server.user(), await server.user()];
    const { db } = server.application;
    await oneRowEach(db, victim.id);
    await db
      .updateTable('users')
      .set({ full_name: canary, bio: canary, email: `${canary}@example.com` })
      .where('id', '=', victim.id)
      .execute();
    await db.updateTable('attempts').set({ title: canary }).where('user_id', '=', victim.id).execute();
    await db.updateTable('task_results').set({ title: canary, output: canary }).execute();
    await db.updateTable('activity_log').set({ title: canary }).where('user_id', '=', victim.id).execute();
    await db.updateTable('containers').set({ name: canary }).where('user_id', '=', victim.id).execute();
    const first = async (table: 'attempts' | 'containers' | 'themes' | 'sandbox_templates') =>
      (await db.selectFrom(table).select('id').orderBy('id').executeTakeFirstOrThrow()).id;
    const assessment = async (kind: AttemptKind) => {
      const rows = db.selectFrom('assessments').select('id').where('kind', '=', kind).orderBy('id');
      return (await rows.executeTakeFirstOrThrow()).id;
    };
    const attempt = await first('attempts');
    ids = {
      user_id: victim.id,
      id: victim.id,
      owner_id: victim.id,
      actor_id: victim.id,
      attempt_id: attempt,
      container_id: await first('containers'),
      theme_id: await first('themes'),
      exam_id: await assessment('exam'),
      laboratory_id: await assessment('laboratory'),
      template_id: await first('sandbox_templates'),
      session_id: 1,
      session: 1,
      user: victim.id,
    };
  });
  after(() => server?.[Symbol.asyncDispose]());

  const rows = async () => {
    const { db } = server.application;
    const of = (table: 'attempts' | 'containers' | 'theme_progress' | 'activity_log') =>
      db.selectFrom(table).selectAll().where('user_id', '=', victim.id).execute();
    const user = await db.selectFrom('users').selectAll().where('id', '=', victim.id).executeTakeFirstOrThrow();
    return JSON.stringify([
      user,
      ...(await Promise.all((['attempts', 'containers', 'theme_progress', 'activity_log'] as const).map(of))),
    ]);
  };

  it('reveals and changes nothing for a student in any operation', async () => {
    const untouched = await rows();
    const query = new URLSearchParams(Object.entries(ids).map(([name, id]): [string, string] => [name, String(id)]));
    let sent = 0;
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { 'x-access': access }] of Object.entries(methods)) {
        if (path.endsWith('/logout')) continue;
        // In the path: their own id, or one that does not exist.
        const target = path.replace(/\{(\w+|\*)\}/g, String(mallory.id + 1000));
        const all = { ...ids, username: victim.username };
        const answers = [
          await server.request(method.toUpperCase(), `${target}?${query}`, { token: mallory.token }),
          await server.request(method.toUpperCase(), `${target}?user_id=${victim.id}&user_id=${mallory.id}`, {
            token: mallory.token,
          }),
          ...(method === 'get'
            ? []
            : [await server.request(method.toUpperCase(), target, { token: mallory.token, json: all })]),
        ];
        for (const { status, text } of answers) {
          assert.ok(!text.includes(canary), `${method} ${path}: ${text}`);
          assert.ok(status < 500 || status === 503, `${method} ${path}: ${status}`);
          if (access === 'admin' || access === 'instructor') assert.equal(status, 403, `${method} ${path}`);
        }
        sent += answers.length;
        assert.equal(await rows(), untouched, `${method} ${path}`);
      }
    }
    assert.ok(sent > 200, `${sent}`);
  });

  it('creates no sandbox from a hidden template', async () => {
    await server.application.db.updateTable('sandbox_templates').set({ is_active: false }).execute();
    const { status } = await server.post('/api/containers/create', mallory.token, { template_id: ids['template_id'] });
    assert.equal(status, 404);
  });

  it('reveals only data of students to an instructor', async () => {
    const instructor = await server.user('instructor');
    const admin = await server.user('admin');
    for (const [path, methods] of Object.entries(document.paths)) {
      if (!path.startsWith('/api/instructor') || path.includes('{') || !methods['get']) continue;
      for (const id of [admin.id, instructor.id]) {
        const { status, text } = await server.get(`${path}?user_id=${id}`, instructor.token);
        assert.ok(status === 200 || status === 404 || status === 422, `${path}: ${status}`);
        assert.ok(!text.includes(admin.email), `${path}: ${text}`);
      }
    }
  });
});
