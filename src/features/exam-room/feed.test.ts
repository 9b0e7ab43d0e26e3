import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import { until } from '../../../test/until.ts';
import { RoomFeed } from './feed.ts';
import type { RoomSession, StudentInRoom } from './store.ts';

const log = pino({ level: 'silent' });
const student = (user_id: number, score: number | null = null) =>
  ({ user_id, username: `student-${user_id}`, status: 'finished', container_id: null, score }) as StudentInRoom;

/** The feed of one room, whose students are those of `room`. */
async function watched(room: { students: StudentInRoom[]; until?: Promise<void> | undefined }) {
  const reads: (number[] | 'all')[] = [];
  const store = {
    checkAccess: async () => undefined,
    session: async () => ({ id: 7 }) as RoomSession,
    students: async (_session: number, userIds?: ReadonlySet<number>) => {
      reads.push(userIds ? [...userIds] : 'all');
      await room.until;
      return room.students.filter(({ user_id }) => userIds?.has(user_id) ?? true);
    },
  };
  const options = { interval: 600_000, maxWatchers: 2 };
  const feed = new RoomFeed({ store, log, options, connected: async () => new Set(), watched: async () => undefined });
  const watch = () => feed.watch(7, () => ({ id: 9 }) as never);
  const stream = await watch();
  let text = '';
  stream.on('data', (chunk) => (text += chunk));
  await until(() => text.includes('nothing has changed'), 'the read for changes during the first one');
  reads.length = 0;
  const change = async (count: number) => {
    const found = () => [...text.matchAll(/event: change\ndata: (.*)\n/g)].map(([, json]) => JSON.parse(json ?? ''));
    await until(() => found().length === count, `change ${count}`);
    return found()[count - 1];
  };
  return {
    reads,
    change,
    watch,
    report: (...what: string[]) => what.forEach((one) => void feed.changed(one)),
    end: () => feed[Symbol.asyncDispose](),
  };
}

describe('the feed of an exam room', () => {
  it('reads the students who are reported only', async (t) => {
    const room = { students: [1, 2, 3].map((id) => student(id)) };
    const { reads, change, report, end } = await watched(room);
    t.after(end);
    room.students = [student(1, 5), student(2, 6), student(3, 7)];
    report('7:3', '8:2', '7:1', '7:3');
    const changed = (await change(1)).students.map(({ user_id, score }: StudentInRoom) => [user_id, score]);
    assert.deepEqual(Object.fromEntries(changed), { 1: 5, 3: 7 });
    assert.deepEqual(reads, [[3, 1]]);
  });

  it('reads the whole room when somebody joins or leaves it, and when the session is reported', async (t) => {
    const room = { students: [1, 2, 3].map((id) => student(id)) };
    const { reads, change, report, end } = await watched(room);
    t.after(end);
    room.students = [student(1), student(2), student(4)];
    report('7:4');
    assert.deepEqual((await change(1)).gone, [3]);
    assert.deepEqual(reads.splice(0), [[4], 'all']);
    room.students = [student(1), student(2)];
    report('7:4');
    assert.deepEqual((await change(2)).gone, [4]);
    assert.deepEqual(reads.splice(0), [[4], 'all']);
    room.students = [student(1, 8), student(2, 8)];
    report('7:1', '7', '7:2');
    assert.equal((await change(3)).students.length, 2);
    assert.deepEqual(reads, ['all']);
  });

  it('has a limited number of streams in all and of each user, and reads no room beyond it', async () => {
    const reads: number[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const store = {
      checkAccess: async () => undefined,
      session: async () => ({ id: 7 }) as RoomSession,
      students: async (id: number) => {
        reads.push(id);
        await promise;
        return [];
      },
    };
    const options = { interval: 600_000, maxWatchers: 3, maxWatchersPerUser: 2 };
    await using feed = new RoomFeed({
      store,
      log,
      options,
      connected: async () => new Set(),
      watched: async () => undefined,
    });
    const watch = async (user: number) => (await feed.watch(7, () => ({ id: user }) as never)).resume();
    const many = Array.from({ length: 50 }, () => watch(1));
    const refused = many.slice(2).map((one) => assert.rejects(one, { status: 429 }));
    await Promise.all(refused);
    assert.deepEqual(reads, [7, 7]);
    resolve();
    const [first] = await Promise.all(many.slice(0, 2));
    await watch(2);
    await assert.rejects(watch(3), { status: 503 });
    first?.destroy();
    await once(first as NonNullable<typeof first>, 'close');
    await watch(1);
  });

  it('waits for the running read when it ends, and begins no other one', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const room = { students: [student(1)], until: undefined as Promise<void> | undefined };
    const { reads, report, watch, end } = await watched(room);
    room.until = promise;
    report('7:1');
    await until(() => reads.length === 1, 'a read');
    report('7:1');
    let hasEnded = false;
    const ending = end().then(() => {
      hasEnded = true;
    });
    await new Promise(setImmediate);
    assert.equal(hasEnded, false);
    resolve();
    await ending;
    assert.deepEqual(reads, [[1]]);
    await once((await watch()).resume(), 'end');
  });
});
