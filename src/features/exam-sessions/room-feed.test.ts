import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import { until } from '../../../test/until.ts';
import { RoomFeed } from './room-feed.ts';
import type { RoomSession, RoomStudent } from './room-store.ts';

const log = pino({ level: 'silent' });
const student = (user_id: number, score: number | null = null) =>
  ({ user_id, username: `student-${user_id}`, status: 'finished', container_id: null, score }) as RoomStudent;

describe('the feed of an exam room', () => {
  it('reads the students who are reported only, and the whole room when somebody joins', async () => {
    let students = [1, 2, 3].map((id) => student(id));
    const reads: (number[] | 'all')[] = [];
    const store = {
      checkAccess: async () => undefined,
      session: async () => ({ id: 7 }) as RoomSession,
      students: async (_session: number, userIds?: ReadonlySet<number>) => {
        reads.push(userIds ? [...userIds] : 'all');
        return students.filter(({ user_id }) => userIds?.has(user_id) ?? true);
      },
    };
    const options = { interval: 600_000, maxWatchers: 1 };
    using feed = new RoomFeed({ store, log, options, connected: async () => new Set() });
    const stream = await feed.watch(7, () => ({ id: 9 }) as never);
    let text = '';
    stream.on('data', (chunk) => (text += chunk));
    const changes = () => [...text.matchAll(/event: change\ndata: (.*)\n/g)].map(([, json]) => JSON.parse(json ?? ''));
    await until(() => text.includes('nothing has changed'), 'the read for changes during the first one');

    students = [student(1, 5), student(2, 6), student(3, 7)];
    for (const what of ['7:3', '8:2', '7:1', '7:3']) feed.changed(what);
    await until(() => changes().length === 1, 'the reported students');
    assert.deepEqual(
      changes()[0].students.map(({ user_id, score }: RoomStudent) => [user_id, score]),
      [
        [1, 5],
        [3, 7],
      ],
    );
    assert.deepEqual(reads, ['all', 'all', [3, 1]]);

    students = [student(1, 5), student(2, 6), student(4)];
    feed.changed('7:4');
    await until(() => changes().length === 2, 'the student who has joined');
    assert.deepEqual(changes()[1].gone, [3]);
    assert.deepEqual(reads.slice(3), [[4], 'all']);

    students = [student(1, 8), student(2, 8), student(4, 8)];
    for (const what of ['7:1', '7', '7:2']) feed.changed(what);
    await until(() => changes().length === 3, 'the whole room');
    assert.equal(changes()[2].students.length, 3);
    assert.deepEqual(reads.slice(5), ['all']);
  });
});
