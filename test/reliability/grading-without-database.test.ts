import assert from 'node:assert/strict';
import { Classroom } from '../classroom.ts';
import { itInFull } from '../rounds.ts';
import { engineSkip } from '../server.ts';
import { databasePatience } from '../settings.ts';
import { until } from '../until.ts';
import { OwnDatabase } from './own-database.ts';

// A lost grading is resumed 20 s after its last heartbeat. So it runs only with the full counts.
// Long: one grading before, during and after the outage.
itInFull(
  'a grading whose database hangs ends without lost results, and can be repeated',
  {
    skip: engineSkip,
  },
  async (context) => {
    await using database = await OwnDatabase.start();
    await using room = await Classroom.open(
      { reconcileSeconds: 1, ...databasePatience },
      { database: database.address },
    );
    const script = 'touch /home/student/begun; until [ -e /home/student/go ]; do sleep 0.1; done; echo PASS';
    const exam = await room.make('exam', ['echo PASS', script, 'echo PASS']);
    const user = await room.server.user();
    const { container_name, attempt_id } = await room.start(user, 'exam', exam);
    const submit = () => room.server.post(`/api/exams/${exam}/submit`, user.token);
    const submission = submit();
    await room.asStudent(container_name, 'until [ -e ~/begun ]; do sleep 0.05; done');
    await database.freeze();
    try {
      await until(async () => (await room.server.get('/api/dashboard/stats', user.token)).status === 503, 'a 503');
      await room.asStudent(container_name, 'touch ~/go');
      const refused = await submission;
      assert.equal(refused.status, 503, refused.text);
    } finally {
      database.thaw();
    }
    const begin = performance.now();
    let again = await submit();
    await until(
      async () => {
        if (again.status === 503) again = await submit();
        return again.status !== 503;
      },
      'a grading',
      90_000,
    );
    assert.deepEqual([again.status, again.body.score, again.body.id], [200, 6, attempt_id], again.text);
    context.diagnostic(`graded ${((performance.now() - begin) / 1000).toFixed(1)} s after the database went on`);
  },
);
