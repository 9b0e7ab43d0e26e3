import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { finishAttempt } from '../finished-attempt.ts';
import { makeAssessment } from '../made-assessment.ts';
import { TestServer, type TestUser } from '../server.ts';

const introduction = '# Welcome\n\nYou are on *one* machine.';
const conclusion = 'The **nail** was missing.';

describe('the texts at the beginning and the end of exams and laboratories', () => {
  let server: TestServer;
  let admin: TestUser;
  let student: TestUser;
  before(async () => {
    server = await TestServer.start();
    [admin, student] = [await server.user('admin'), await server.user()];
  });
  after(() => server[Symbol.asyncDispose]());

  for (const [kind, plural] of [
    ['exam', 'exams'],
    ['laboratory', 'laboratories'],
  ] as const) {
    it(`of ${plural} are empty by default, and can be changed`, async () => {
      const id = await makeAssessment(server, admin, kind, ['echo PASS']);
      const path = `/api/admin/${plural}/${id}`;
      const { body } = await server.get(path, admin.token);
      assert.deepEqual([body.introduction, body.conclusion], ['', '']);
      const changed = await server.put(path, admin.token, { introduction, conclusion });
      assert.deepEqual([changed.body.introduction, changed.body.conclusion], [introduction, conclusion], changed.text);
      const long = await server.put(path, admin.token, { conclusion: 'x'.repeat(100_001) });
      assert.equal(long.status, 422);
    });

    it(`of ${plural} are shown to students: the one before the start, the other with the results of an ended attempt`, async () => {
      const id = await makeAssessment(server, admin, kind, ['echo PASS'], { introduction, conclusion });
      const shown = await server.get(`/api/${plural}/${id}`, student.token);
      assert.equal(shown.body.introduction, introduction);
      assert.equal('conclusion' in shown.body, false);
      assert.equal((await server.get(`/api/${plural}/${id}`, admin.token)).body.conclusion, conclusion);

      const attempt = await finishAttempt(server, student, kind, id, [true]);
      const results = async (user: TestUser) =>
        (await server.get(`/api/${plural}/attempts/${attempt}/results`, user.token)).body.conclusion;
      assert.equal(await results(student), conclusion);
      const { db } = server.application;
      for (const [status, expected] of [
        ['abandoned', null],
        ['in_progress', null],
        ['expired', conclusion],
      ] as const) {
        await db
          .updateTable('attempts')
          .set({ status, passed: status === 'expired' ? true : null, score: status === 'expired' ? 1 : null })
          .where('id', '=', attempt)
          .execute();
        assert.equal(await results(student), expected, status);
      }
      const list = await server.get(`/api/${plural}/attempts`, student.token);
      assert.equal('conclusion' in list.body[0], false);
    });
  }
});
