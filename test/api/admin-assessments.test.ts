import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Answer, TestServer, type TestUser, told } from '../server.ts';

const kinds = {
  exam: { path: '/api/admin/exams', own: { time_limit_minutes: 5 }, place: 'course_id', parent: 'Course' },
  laboratory: { path: '/api/admin/laboratories', own: {}, place: 'section_id', parent: 'Section' },
};

/** What exams and laboratories have in common for administrators. Where they differ has tests of its own. */
for (const [kind, { path, own, place, parent }] of Object.entries(kinds)) {
  describe(`administration of subjects: ${kind}`, () => {
    let server: TestServer;
    let admin: TestUser;
    before(async () => {
      server = await TestServer.start();
      admin = await server.user('admin');
    });
    after(() => server[Symbol.asyncDispose]());

    const fields = { title: 'Subject', container_image: 'image', passing_score: 1, ...own };
    const task = { title: 'Task', points: 2, verification_script: 'echo PASS' };
    const create = async (url: string, body: object): Promise<Answer['body']> => {
      const created = await server.post(url, admin.token, body);
      assert.equal(created.status, 201, created.text);
      return created.body;
    };
    const detailsOf = async (type: string, id: number): Promise<unknown> => {
      const log = server.application.db.selectFrom('activity_log').select('details');
      const row = await log.where('type', '=', type).where('entity_id', '=', id).executeTakeFirstOrThrow();
      return row.details;
    };

    it('logs the fields of created subjects and deleted tasks', async () => {
      const assessment = await create(path, { ...fields, title: 'Logged' });
      const { id } = await create(`${path}/${assessment.id}/tasks`, task);
      const order = 'order_index' in assessment ? { order_index: assessment.order_index } : {};
      const given = { ...fields, title: 'Logged', slug: 'logged', ...order };
      assert.deepEqual(await detailsOf(`admin_${kind}_create`, assessment.id), { new: given });
      const stored = { ...task, slug: 'task', order_index: 0, assessment_id: assessment.id };
      assert.deepEqual(await detailsOf(`admin_${kind}_task_create`, id), { new: stored });
      assert.equal((await server.delete(`${path}/${assessment.id}/tasks/${id}`, admin.token)).status, 200);
      const { old } = (await detailsOf(`admin_${kind}_task_delete`, id)) as { old: object };
      assert.partialDeepStrictEqual(old, { id, ...stored });
    });

    it('lists in pages, each assessment with its own tasks', async () => {
      const [first, second] = [await create(path, fields), await create(path, fields)];
      await create(`${path}/${first.id}/tasks`, task);
      const { headers } = await server.get(path, admin.token);
      const last = await server.get(`${path}?page=${headers.get('x-total-count')}&page_size=1`, admin.token);
      assert.deepEqual(last.body, [second]);
      const shown = await server.get(`${path}/${first.id}`, admin.token);
      assert.deepEqual([shown.body.task_count, shown.body.max_score], [1, 2]);
    });

    it('refuses an invalid position, activation without a trial, and tasks of another assessment', async () => {
      const [draft, other] = [await create(path, { ...fields, is_active: false }), await create(path, fields)];
      const gone = { detail: `${parent} not found`, code: 'not_found' };
      const created = await server.post(path, admin.token, { ...fields, [place]: 999_999 });
      const moved = await server.put(`${path}/${draft.id}`, admin.token, { [place]: 999_999 });
      assert.deepEqual([created.status, told(created), moved.status, told(moved)], [404, gone, 404, gone]);
      const active = await server.put(`${path}/${draft.id}`, admin.token, { is_active: true });
      assert.deepEqual([active.status, active.code], [409, 'publish_required']);
      const { id } = await create(`${path}/${draft.id}/tasks`, task);
      const elsewhere = `${path}/${other.id}/tasks/${id}`;
      for (const answer of [
        await server.get(elsewhere, admin.token),
        await server.put(elsewhere, admin.token, { points: 1 }),
        await server.delete(elsewhere, admin.token),
      ])
        assert.deepEqual([answer.status, answer.body.detail], [404, 'Task not found']);
    });
  });
}
