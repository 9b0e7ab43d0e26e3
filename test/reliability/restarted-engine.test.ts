import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { graderImage } from '../../src/adapters/docker/grader-volume.ts';
import { Classroom } from '../classroom.ts';
import { image } from '../made-assessment.ts';
import { itInFull } from '../rounds.ts';
import { engineSkip } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';
import { until } from '../until.ts';
import { SecondEngine } from './second-engine.ts';

// Copying images takes long, so it runs only with the full counts.
for (const [ended, end] of [
  ['stopped', 'stop'],
  ['killed', 'kill'],
] as const) {
  // Long: a separate engine takes minutes to prepare.
  itInFull(
    `attempts continue where the engine is ${ended} and started again: so are their containers, with their files`,
    {
      skip: engineSkip,
    },
    async (context) => {
      const engine = await SecondEngine.start();
      if ('reason' in engine) return context.skip(engine.reason);
      await using _engine = engine;
      await using room = await Classroom.open({ reconcileSeconds: 1 }, { engine: { options: engine.options } });
      await engine.load(room.docker, [image, graderImage]);
      const exam = await room.make('exam', ['[ "$(cat /home/student/work)" = mine ] && echo PASS || echo FAIL']);
      const { db } = room.server.application;
      const work = async (address: string) => {
        const terminal = await new TerminalClient(address, { protocol: 'terminal.v1' }).ready();
        terminal.type('echo mine > ~/work; sync; echo sa""ved\n');
        await terminal.shows('saved\r\n');
        return terminal;
      };

      for (let round = 0; round < 3; round += 1) {
        const [active, idle] = [await room.server.user(), await room.server.user()];
        const started = await room.start(active, 'exam', exam);
        const other = await room.start(idle, 'exam', exam);
        const address = `${room.server.url}/ws/terminal/${started.container_id}?token=${active.token}`;
        const terminal = await work(address);
        const aside = await work(`${room.server.url}/ws/terminal/${other.container_id}?token=${idle.token}`);

        await engine[end]();
        const { code, reason } = await terminal.closed;
        assert.ok(code === 4409 || code === 1013, `${code} ${reason}`);
        await aside.closed;
        const refused = await room.server.post(`/api/exams/${exam}/submit`, active.token);
        assert.equal(refused.status, 503, refused.text);
        const late = await room.server.user();
        assert.equal((await room.server.post(`/api/exams/${exam}/start`, late.token)).status, 503);

        await engine.start();
        const begin = performance.now();
        await until(async () => (await engine.docker.listContainers()).length === 2, 'both containers to run again');
        const seconds = ((performance.now() - begin) / 1000).toFixed(1);
        const again = await new TerminalClient(address, { protocol: 'terminal.v1' }).ready();
        again.type('cat ~/work\n');
        await again.shows(/\rmine\r\n/);
        again.socket.terminate();
        const submitted = await room.server.post(`/api/exams/${exam}/submit`, active.token);
        assert.deepEqual([submitted.status, submitted.body.score], [200, 1], submitted.text);
        await sql`update attempts set expires_at = now() where id = ${other.attempt_id}`.execute(db);
        const rest = () =>
          db.selectFrom('attempts').select(['status', 'score']).where('id', '=', other.attempt_id).execute();
        await until(async () => (await rest())[0]?.status === 'expired', 'the other attempt');
        assert.equal((await rest())[0]?.score, 1);
        await until(async () => (await engine.docker.listContainers({ all: true })).length === 0, 'no container');
        context.diagnostic(`closed with ${code}; containers ran again ${seconds} s after the engine answered`);
      }
    },
  );
}
