import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import { until } from '../../../test/until.ts';
import { NotificationFeed } from './feed.ts';
import type { Notification } from './store.ts';

const log = pino({ level: 'silent' });
const caller = (id: number) => ({ id, role: 'student', scope: 'all' }) as const;
const entry = (title: string) => ({ key: title, title }) as Notification;

describe('the feed of notifications', () => {
  it('reads the lists again after a failure of the database, and those of connected users only', async () => {
    const asked: (readonly number[])[] = [];
    const store = {
      membersAmong: async () => [],
      listsOf: async (ids: readonly number[]) => {
        asked.push(ids);
        if (asked.length === 1) throw new Error('The database does not answer');
        return new Map(ids.map((id) => [id, [entry('first')]]));
      },
    };
    await using feed = new NotificationFeed({
      store,
      log,
      options: { maxStreams: 2, maxStreamsPerUser: 2, retryPause: 1 },
    });
    const stream = await feed.watch(() => caller(1) as never);
    let text = '';
    stream.on('data', (chunk) => (text += chunk));
    await until(() => text.includes('first'), 'the list');
    assert.deepEqual(asked, [[1], [1]]);
    feed.changed('2,3');
    feed.changed('1');
    await until(() => asked.length === 3, 'another read');
    assert.deepEqual(asked[2], [1]);
    assert.equal(text.match(/event: notifications/g)?.length, 1, 'an unchanged list is not sent again');
  });

  it('disconnects a client that does not read, and has a limited number of streams', async () => {
    let round = 0;
    const store = {
      membersAmong: async () => [],
      listsOf: async (ids: readonly number[]) => {
        round += 1;
        return new Map(ids.map((id) => [id, [entry(`${round} ${'x'.repeat(200_000)}`)]]));
      },
    };
    await using feed = new NotificationFeed({ store, log, options: { maxStreams: 2, maxStreamsPerUser: 1 } });
    const slow = await feed.watch(() => caller(1) as never);
    await assert.rejects(
      feed.watch(() => caller(1) as never),
      { status: 429 },
    );
    await feed.watch(() => caller(2) as never);
    await assert.rejects(
      feed.watch(() => caller(3) as never),
      { status: 503 },
    );
    await until(() => {
      feed.changed('1');
      return slow.destroyed;
    }, 'the end of the stream');
    assert.ok(await feed.watch(() => caller(3) as never), 'its place is free');
  });

  it('waits for the running read when it ends, and begins no other one', async () => {
    const asked: (readonly number[])[] = [];
    const answer = Promise.withResolvers<Map<number, Notification[]>>();
    const store = {
      membersAmong: async () => [],
      listsOf: async (ids: readonly number[]) => {
        asked.push(ids);
        return await answer.promise;
      },
    };
    const feed = new NotificationFeed({ store, log, options: { maxStreams: 3, maxStreamsPerUser: 1 } });
    await feed.watch(() => caller(1) as never);
    await until(() => asked.length === 1, 'a read');
    await feed.watch(() => caller(2) as never);
    let hasEnded = false;
    const end = feed[Symbol.asyncDispose]().then(() => {
      hasEnded = true;
    });
    await new Promise(setImmediate);
    assert.equal(hasEnded, false);
    answer.resolve(new Map());
    await end;
    assert.deepEqual(asked, [[1]]);
    await once((await feed.watch(() => caller(3) as never)).resume(), 'end');
  });
});
