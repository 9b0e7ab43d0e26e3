import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { Classroom } from '../classroom.ts';
import { itInFull, itLong } from '../rounds.ts';
import { engineSkip, type TestUser } from '../server.ts';
import { until } from '../until.ts';

/** SIGSTOP for the SSH server in a container: it neither answers nor closes connections. */
describe('an SSH server that hangs', { skip: engineSkip, concurrency: true }, () => {
  let room: Classroom;
  before(async () => {
    room = await Classroom.open({ scriptSeconds: 5, reconcileSeconds: 1, sshTimeoutSeconds: 8 });
  });
  after(() => room?.[Symbol.asyncDispose]());

  const inContainer = async (name: string, script: string): Promise<void> => {
    const exec = await room.docker.getContainer(room.engineName(name)).exec({
      Cmd: ['/.grader/bin/busybox', 'sh', '-c', `b=/.grader/bin/busybox; ${script}`],
      User: '0:0',
      AttachStdout: true,
    });
    const stream = await exec.start({});
    stream.resume();
    await new Promise((resolve) => stream.once('end', resolve));
    assert.equal((await exec.inspect()).ExitCode, 0, script);
  };
  const untilThere = 'for n in $($b seq 200); do $b pidof sshd >/dev/null && break; $b sleep 0.1; done;';
  const stop = `${untilThere} $b killall -STOP sshd`;
  const timed = async (user: TestUser, exam: number) => {
    const begin = performance.now();
    const answer = await room.server.post(`/api/exams/${exam}/submit`, user.token);
    return {
      status: answer.status,
      score: answer.body.score,
      text: answer.text,
      seconds: (performance.now() - begin) / 1000,
    };
  };

  itLong(
    'before a submission is replaced by another connection after the time limit, without delaying others',
    async (context) => {
      const exam = await room.make('exam', ['echo PASS']);
      const [user, neighbour] = [await room.server.user(), await room.server.user()];
      const { container_name } = await room.start(user, 'exam', exam);
      await room.start(neighbour, 'exam', exam);
      await inContainer(container_name, stop);
      const grading = timed(user, exam);
      const other = await timed(neighbour, exam);
      const { status, score, text, seconds } = await grading;
      assert.deepEqual([other.status, other.score], [200, 1], other.text);
      assert.deepEqual([status, score], [200, 1], text);
      assert.ok(seconds > 7.5 && seconds < 60, `${seconds} s`);
      assert.ok(other.seconds < seconds, `a neighbour waited for ${other.seconds} s`);
      context.diagnostic(`graded after ${seconds.toFixed(1)} s, a neighbour after ${other.seconds.toFixed(1)} s`);
    },
  );

  itLong('during a script is replaced: the script runs again over another connection', async (context) => {
    // Only its first run is long enough to be interrupted.
    const script = 'mkdir /root/seen 2>/dev/null && sleep 4; echo PASS';
    const exam = await room.make('exam', [script, 'echo PASS']);
    const user = await room.server.user();
    const { container_name } = await room.start(user, 'exam', exam);
    const stopped = inContainer(
      container_name,
      `: >/root/watched; until [ -d /root/seen ]; do $b sleep 0.05; done; ${stop}`,
    );
    await inContainer(container_name, 'until [ -e /root/watched ]; do $b sleep 0.05; done');
    const grading = timed(user, exam);
    await stopped;
    const { status, score, text, seconds } = await grading;
    assert.deepEqual([status, score], [200, 3], text);
    assert.ok(seconds > 12 && seconds < 60, `${seconds} s`);
    context.diagnostic(`graded after ${seconds.toFixed(1)} s`);
  });

  itInFull(
    "every time because of the container's programs refuses submissions; at the deadline the container is restarted and graded",
    async (context) => {
      const exam = await room.make('exam', ['echo PASS']);
      const user = await room.server.user();
      const { container_name, attempt_id } = await room.start(user, 'exam', exam);
      await inContainer(container_name, '(while :; do $b killall -STOP sshd; $b sleep 0.05; done) >/dev/null 2>&1 &');
      const { status, seconds } = await timed(user, exam);
      assert.equal(status, 503);
      assert.ok(seconds < 60, `${seconds} s`);
      const { db } = room.server.application;
      const begin = performance.now();
      await db.updateTable('attempts').set({ expires_at: new Date() }).where('id', '=', attempt_id).execute();
      const outcome = () =>
        db.selectFrom('attempts').select(['status', 'score']).where('id', '=', attempt_id).execute();
      await until(async () => (await outcome())[0]?.status === 'expired', 'its grading', 90_000);
      assert.equal((await outcome())[0]?.score, 1);
      const expiry = ((performance.now() - begin) / 1000).toFixed(1);
      context.diagnostic(`refused after ${seconds.toFixed(1)} s, graded ${expiry} s after the deadline`);
    },
  );
});
