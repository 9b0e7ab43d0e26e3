import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer, type TestUser } from '../server.ts';

const path = '/api/admin/sandbox-templates';
const fields = { name: 'Small Shell', image: 'image:1', memory_mb: 128, cpus: 0.5 };

describe('administration of sandbox templates', () => {
  let server: TestServer;
  let admin: TestUser;
  let student: TestUser;
  before(async () => {
    server = await TestServer.start({}, { engine: { reason: 'this test has none' } });
    admin = await server.user('admin');
    student = await server.user();
  });
  after(() => server[Symbol.asyncDispose]());

  it('hides a template from users below its role, like one that does not exist', async () => {
    const [instructor, boss] = [await server.user('instructor'), admin];
    const open = await server.post(path, admin.token, { ...fields, name: 'For everybody' });
    const body = { ...fields, name: 'With internet', has_internet: true, minimum_role: 'instructor', order_index: 0 };
    const limited = await server.post(path, admin.token, body);
    assert.deepEqual([limited.status, limited.body.minimum_role], [201, 'instructor'], limited.text);
    const shown = async (token?: string) =>
      (await server.get('/api/sandbox-templates', token)).body.map(({ name }: { name: string }) => name);
    assert.deepEqual(await shown(student.token), ['For everybody']);
    for (const { token } of [instructor, boss])
      assert.deepEqual(await shown(token), ['With internet', 'For everybody']);

    const create = (user: TestUser, json: object) => server.post('/api/containers/create', user.token, json);
    for (const template_id of [limited.body.id, 999_999]) {
      const refused = await create(student, { template_id });
      assert.deepEqual(
        [refused.status, refused.code, refused.body],
        [404, 'not_found', { detail: 'Sandbox template not found' }],
      );
    }
    // Without an engine there is no container; that it is asked for one shows which template was taken.
    assert.equal((await create(student, {})).status, 503, 'the first that the student may use');
    assert.equal((await create(instructor, { template_id: limited.body.id })).status, 503);

    const changed = await server.put(`${path}/${limited.body.id}?minimum_role=admin`, admin.token);
    assert.deepEqual([changed.status, changed.body.minimum_role], [200, 'admin']);
    assert.equal((await create(instructor, { template_id: limited.body.id })).status, 404);
    assert.deepEqual(await shown(boss.token), ['With internet', 'For everybody']);
    await server.put(`${path}/${open.body.id}`, admin.token, { minimum_role: 'instructor' });
    assert.equal((await create(student, {})).status, 404, 'there is none that the student may use');
    const unknown = await server.post(path, admin.token, { ...fields, minimum_role: 'teacher' });
    assert.equal(unknown.status, 422);
    for (const { body: template } of [open, limited]) await server.delete(`${path}/${template.id}`, admin.token);
  });

  it('offers callers without a token the templates of students if the catalogue is anonymous', async () => {
    await using anonymous = await TestServer.start({ ANONYMOUS_CATALOGUE: 'true' });
    const boss = await anonymous.user('admin');
    await anonymous.post(path, boss.token, { ...fields, minimum_role: 'instructor' });
    assert.deepEqual((await anonymous.get('/api/sandbox-templates')).body, []);
    assert.equal((await anonymous.get('/api/sandbox-templates', boss.token)).body.length, 1);
  });

  /** Two templates of one name, the second from the query string. */
  async function two(name: string) {
    const query = new URLSearchParams({ name, image: 'b', memory_mb: '64', cpus: '1.5', has_internet: 'true' });
    const first = await server.post(path, admin.token, { ...fields, name });
    return { first, second: await server.post(`${path}?${query}`, admin.token) };
  }

  it('creates templates from JSON and the query string', async () => {
    const { first, second } = await two('Small Shell');
    assert.deepEqual([first.status, second.status], [201, 201], `${first.text} ${second.text}`);
    const { id: _id, order_index, ...rest } = first.body;
    assert.deepEqual(rest, {
      ...fields,
      slug: 'small-shell',
      description: '',
      has_internet: false,
      is_active: true,
      minimum_role: 'student',
    });
    assert.deepEqual(
      [second.body.slug, second.body.cpus, second.body.has_internet, second.body.order_index],
      ['small-shell-2', 1.5, true, order_index + 1],
    );
  });

  it('changes templates, and shows only active ones to users', async () => {
    const { first, second } = await two('To change');
    const change = { is_active: false, order_index: 900, memory_mb: 256 };
    const url = `${path}/${first.body.id}`;
    const hidden = await server.put(`${url}?is_active=false&order_index=900`, admin.token, { memory_mb: 256 });
    assert.deepEqual([hidden.status, hidden.body], [200, { ...first.body, ...change }]);
    assert.deepEqual((await server.get(url, admin.token)).body, hidden.body);
    const all = await server.get(path, admin.token);
    assert.deepEqual(all.body.slice(-2), [second.body, hidden.body]);
    assert.deepEqual((await server.get('/api/sandbox-templates', student.token)).body.at(-1), second.body);
    const page = await server.get(`${path}?page=${all.body.length}&page_size=1`, admin.token);
    assert.deepEqual([page.body, page.headers.get('x-total-count')], [[hidden.body], `${all.body.length}`]);
  });

  it('deletes a template, and logs all that was done with it', async () => {
    const { first, second } = await two('To delete');
    const url = `${path}/${first.body.id}`;
    await server.put(url, admin.token, { memory_mb: 256 });
    const deleted = await server.delete(url, admin.token);
    assert.deepEqual([deleted.status, deleted.body], [200, { detail: 'Sandbox template deleted' }]);
    const left = (await server.get(path, admin.token)).body.filter((row: { name: string }) => row.name === 'To delete');
    assert.deepEqual(left, [second.body]);
    const acts = await server.application.db
      .selectFrom('activity_log')
      .select(['type', 'actor_id'])
      .where('entity_type', '=', 'sandbox_template')
      .where('entity_id', '=', first.body.id)
      .orderBy('id')
      .execute();
    assert.deepEqual(
      acts,
      ['create', 'update', 'delete'].map((verb) => ({ type: `admin_sandbox_template_${verb}`, actor_id: admin.id })),
    );
  });

  it('refuses invalid fields, taken slugs and missing rows', async () => {
    const one = (await server.post(path, admin.token, { ...fields, slug: 'one' })).body;
    const two = (await server.post(path, admin.token, { ...fields, slug: 'two' })).body;
    for (const answer of [
      await server.post(path, admin.token, { ...fields, slug: 'one' }),
      await server.put(`${path}/${two.id}`, admin.token, { slug: one.slug }),
    ]) {
      assert.deepEqual([answer.status, answer.code, answer.body], [409, 'slug_taken', { detail: 'The slug is taken' }]);
    }
    for (const wrong of [{ memory_mb: 1 }, { cpus: 0 }, { cpus: 65 }, { image: '--privileged' }, { name: '' }]) {
      const answer = await server.post(path, admin.token, { ...fields, ...wrong });
      assert.deepEqual([answer.status, answer.body.detail?.[0]?.loc], [422, ['body', Object.keys(wrong)[0]]]);
    }
    assert.equal((await server.post(path, admin.token)).body.detail.length, 4, 'four fields are missing');
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await server.request(method, `${path}/999999`, { token: admin.token });
      assert.deepEqual(
        [answer.status, answer.code, answer.body],
        [404, 'not_found', { detail: 'Sandbox template not found' }],
      );
    }
  });

  it('is for administrators', async () => {
    const instructor = await server.user('instructor');
    for (const { token } of [student, instructor]) {
      for (const [method, url] of [
        ['GET', path],
        ['POST', path],
        ['GET', `${path}/1`],
        ['PUT', `${path}/1`],
        ['DELETE', `${path}/1`],
      ] as const) {
        const answer = await server.request(method, url, { token });
        assert.deepEqual(
          [answer.status, answer.code, answer.body],
          [403, 'admin_required', { detail: 'Admin access required' }],
        );
      }
    }
  });
});
