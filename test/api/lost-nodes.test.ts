import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { imageNames } from '../../images/definitions.ts';
import { Classroom, type Started } from '../classroom.ts';
import { inNamespace, isOnCluster } from '../cluster.ts';
import type { TestUser } from '../server.ts';
import { TerminalClient } from '../terminal-client.ts';
import { until } from '../until.ts';

/** A folder with the programs `down NODE`, which ends a node as a power failure does, `up NODES` and `load IMAGE...`. */
const tools = process.env['TEST_CLUSTER_TOOLS'];
const run = (tool: string, ...args: string[]) => promisify(execFile)(join(tools ?? '', tool), args);
const isSkipped =
  isOnCluster && tools !== undefined ? false : 'TEST_CLUSTER_TOOLS names no cluster that may lose a node';

type Kind = 'exam' | 'laboratory';
type Student = { user: TestUser; kind: Kind; started: Started; ref: string; node: string };
const passes = '[ "$(cat /home/student/answer)" = 42 ] && echo PASS || echo FAIL';
/** The limit of the issue: an attempt continues within a minute. */
const minute = 60_000;

describe('a cluster that loses a node', { skip: isSkipped, timeout: 600_000 }, () => {
  let room: Classroom;
  const subjects = {} as Record<Kind, number>;
  const students: Student[] = [];

  before(async () => {
    room = await Classroom.open({ homeSaveSeconds: 10 });
    for (const kind of ['exam', 'laboratory'] as const)
      subjects[kind] = await room.make(kind, [passes], { time_limit_minutes: 30 });
    for (const kind of ['exam', 'laboratory'] as const)
      await until(async () => {
        students.push(await start(kind));
        return ['node-1', 'node-2'].every((node) => students.some((one) => one.kind === kind && one.node === node));
      }, 'an attempt on each node');
  });
  after(async () => {
    await room?.[Symbol.asyncDispose]();
    await run('up', '2');
    await run('load', ...imageNames);
  });

  async function start(kind: Kind): Promise<Student> {
    const user = await room.server.user();
    const started = await room.start(user, kind, subjects[kind]);
    await room.asStudent(started.container_name, 'echo 42 >~/answer');
    const ref = (await rowOf(started.container_id)).engine_ref ?? '';
    return { user, kind, started, ref, node: await nodeOf(ref) };
  }
  const namespace = () => room.server.config.kubernetes.namespace;
  const podOf = (ref: string) =>
    inNamespace(namespace(), async (cluster) => {
      const { items } = await cluster.request<{ items: { metadata: { name: string }; spec: { nodeName: string } }[] }>(
        ...(['GET', cluster.path('pods')] as const),
      );
      return items.find(({ metadata }) => metadata.name === ref);
    });
  const nodeOf = async (ref: string): Promise<string> => (await podOf(ref))?.spec.nodeName ?? '';
  const rowOf = (id: number) =>
    room.server.application.db.selectFrom('containers').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const expiryOf = async ({ started }: Student): Promise<number> => {
    const attempts = room.server.application.db.selectFrom('attempts').select('expires_at');
    return (await attempts.where('id', '=', started.attempt_id).executeTakeFirstOrThrow()).expires_at?.getTime() ?? 0;
  };
  const open = ({ user, started }: Student) =>
    new TerminalClient(`${room.server.url}/ws/terminal/${started.container_id}?token=${user.token}`, {
      protocol: 'terminal.v1',
    });

  // Long: one lost node, with everything that becomes of what ran there.
  it('continues its attempts on another node within a minute, and the students of that node notice nothing', async () => {
    const now = new Date();
    await until(
      async () => {
        const rows = await Promise.all(students.map(({ started }) => rowOf(started.container_id)));
        return rows.every(({ home_saved_at }) => (home_saved_at ?? 0) > now);
      },
      'a save of each home',
      90_000,
    );
    const there = students.filter(({ node }) => node === 'node-2');
    const here = students.filter(({ node }) => node === 'node-1');
    assert.ok(there.length >= 2 && here.length >= 2);
    const [away, near] = [there.map(open), here.map(open)];
    await Promise.all([...away, ...near].map((client) => client.ready()));
    const before = await Promise.all(
      students.map(async (one) => ({ one, expiry: await expiryOf(one), row: await rowOf(one.started.container_id) })),
    );

    await run('down', '2');
    const lostAt = Date.now();
    for (const client of near) client.type('while sleep 0.2; do echo tick; done\n');
    await until(
      async () => (await Promise.all(there.map(({ started }) => rowOf(started.container_id)))).every(isReplaced),
      'all attempts of the lost node on another one',
      minute,
    );
    for (const client of away) assert.equal((await client.closed).code, 1013);
    for (const { one, expiry, row: lost } of before) {
      const row = await rowOf(one.started.container_id);
      const moved = (await expiryOf(one)) - expiry;
      if (one.node === 'node-1') {
        assert.deepEqual([row.engine_ref, row.replaced_at, moved], [one.ref, null, 0]);
        continue;
      }
      assert.equal(await nodeOf(row.engine_ref ?? ''), 'node-1');
      assert.equal(await podOf(one.ref), undefined, 'the Pod of the lost node is deleted');
      const keptAt = row.home_kept_at?.getTime() ?? 0;
      assert.ok(keptAt >= (lost.home_saved_at?.getTime() ?? 0) && lostAt - keptAt < minute);
      assert.equal(moved, (row.replaced_at?.getTime() ?? 0) - keptAt);
      const client = await open(one).ready();
      const { home_kept_at } = await client.message('notice', ({ reason }) => reason === 'replaced');
      assert.equal(home_kept_at, row.home_kept_at?.toISOString());
      client.socket.terminate();
    }
    for (const client of near) {
      // An interrupt is lost that comes just when the loop's program ends by itself.
      await until(async () => {
        client.type('\x03');
        // What is typed before the prompt would be discarded with the interrupted program's.
        return await client.shows(/\^C[\s\S]*[$#] ?$/, 5000).then(
          () => true,
          () => false,
        );
      }, 'the end of a loop');
      client.type('echo al""ive\n');
      await client.shows('\ralive\r\n');
      client.socket.terminate();
    }
  });

  it('grades them there, and leaves nothing over', async () => {
    for (const { user, kind } of students) {
      const path = kind === 'exam' ? 'exams' : 'laboratories';
      const { status, body, text } = await room.server.post(`/api/${path}/${subjects[kind]}/submit`, user.token);
      assert.deepEqual([status, body.passed], [200, true], text);
    }
    const { engine, db } = room.server.application;
    await until(async () => {
      await room.server.reconcile();
      return (
        (await engine.list()).length === 0 && (await db.selectFrom('containers').select('id').execute()).length === 0
      );
    }, 'the end of all containers');
    assert.deepEqual(await readdir(join(room.server.dataDir, 'homes')), []);
  });
});

const isReplaced = ({
  replaced_at,
  lost_uid,
  status,
}: {
  replaced_at: Date | null;
  lost_uid: string | null;
  status: string;
}) => replaced_at !== null && lost_uid === null && status === 'running';
