import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { opponents } from '../../src/features/trials/opponent-program.ts';
import { taskTemplates } from '../../web/src/assessments/editor/task-templates.ts';
import { Classroom } from '../classroom.ts';
import { describeLong } from '../rounds.ts';
import { engineSkip } from '../server.ts';

describeLong('the tasks to begin with', { skip: engineSkip, timeout: 600_000 }, () => {
  let room: Classroom;
  before(async () => {
    room = await Classroom.open({ WARM_CONTAINERS: '0' }, { opponents });
  });
  after(() => room?.[Symbol.asyncDispose]());

  for (const [name, scripts] of Object.entries(taskTemplates))
    it(`${name}: its check fails before its solution, passes after it, and nothing forges it`, async () => {
      const { server, admin } = room;
      const container_image = 'platform-exam-linux-services';
      const fields = { title: name, container_image, passing_score: 1, is_active: false };
      const { id } = (await server.post('/api/admin/laboratories', admin.token, fields)).body;
      const task = { title: name, points: 1, ...scripts };
      const added = await server.post(`/api/admin/laboratories/${id}/tasks`, admin.token, task);
      assert.equal(added.status, 201, added.text);
      const { status, text, body } = await server.post(`/api/admin/laboratories/${id}/try`, admin.token, {});
      assert.equal(status, 200, text);
      const [{ first, solution, after: last, problem }] = body.tasks;
      assert.deepEqual([first.passed, solution.exit_status, last.passed, problem], [false, 0, true, null], text);
      assert.equal(body.is_ok, true, text);
    });
});
