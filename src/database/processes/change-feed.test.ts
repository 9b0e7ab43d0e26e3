import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { until } from '../../../test/until.ts';
import { RowCache } from './cache.ts';
import { ChangeFeed } from './change-feed.ts';

type Row = { value: string };

describe('the change feed and its caches', () => {
  let database: TestDatabase;
  let other: pg.Client;
  before(async () => {
    database = await createTestDatabase();
    other = new pg.Client(database.address);
    await other.connect();
  });
  after(async () => {
    await other.end();
    await database[Symbol.asyncDispose]();
  });

  /** A feed with one cache; `load` counts its reads. */
  function setUp(newClient = () => new pg.Client(database.address)) {
    const errors: unknown[] = [];
    const heard: string[] = [];
    const feed = new ChangeFeed({ newClient, onError: (error) => errors.push(error), retryDelay: 20 });
    feed.on('rows_changed', (payload) => heard.push(payload));
    const cache = new RowCache<number, Row>({
      feed,
      channel: 'rows_changed',
      max: 100,
      keyOf: (payload) => (payload === '*' ? undefined : Number(payload)),
    });
    let loads = 0;
    const read = (key: number, value = 'a row') =>
      cache.get(key, async () => {
        loads += 1;
        return { value };
      });
    return { feed, cache, errors, heard, read, loads: () => loads };
  }
  const kill = () =>
    other.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'learning-platform listening' and datname = current_database()`,
    );

  it('serves from memory until another connection changes that row', async () => {
    const { feed, cache, heard, read, loads } = setUp();
    await using _ = feed;
    await feed.start();
    await read(1);
    await read(1);
    await read(2);
    assert.equal(loads(), 2);
    assert.deepEqual(cache.peek(1), { value: 'a row' });
    await other.query(`notify rows_changed, '1'`);
    await until(() => heard.includes('1'), 'the notification');
    assert.equal(cache.peek(1), undefined);
    assert.deepEqual(cache.peek(2), { value: 'a row' });
  });

  it('returns nothing from memory before it listens or after it has stopped', async () => {
    const { feed, cache, read, loads } = setUp();
    await read(1);
    await read(1);
    assert.equal(loads(), 2);
    await feed.start();
    await read(1);
    assert.ok(cache.peek(1));
    await feed[Symbol.asyncDispose]();
    assert.equal(cache.peek(1), undefined);
    assert.equal(feed.isLive, false);
  });

  it('bypasses memory while its connection is lost, and is empty after reconnecting', async () => {
    const { feed, cache, heard, errors, read } = setUp();
    await using _ = feed;
    await feed.start();
    await read(1, 'old');
    heard.length = 0;
    await kill();
    await until(() => errors.length > 0, 'the loss to be noticed');
    await until(() => feed.isLive, 'the feed to be back');
    assert.deepEqual(heard, ['*']);
    assert.equal(cache.peek(1), undefined);
    assert.deepEqual(await read(1, 'new'), { value: 'new' });
    await other.query(`notify rows_changed, '1'`);
    await until(() => cache.peek(1) === undefined, 'the new connection to listen');
  });

  it('retries while the database cannot be reached', async () => {
    let isReachable = false;
    const { feed, errors } = setUp(() =>
      isReachable ? new pg.Client(database.address) : new pg.Client({ host: '127.0.0.1', port: 1 }),
    );
    await using _ = feed;
    await feed.start();
    assert.equal(feed.isLive, false);
    await until(() => errors.length >= 3, 'some attempts');
    isReachable = true;
    await until(() => feed.isLive, 'the connection');
  });

  it('does not keep a value read during a change', async () => {
    const { feed, cache, heard } = setUp();
    await using _ = feed;
    await feed.start();
    const value = await cache.get(1, async () => {
      await other.query(`notify rows_changed, '1'`);
      await until(() => heard.includes('1'), 'the notification');
      return { value: 'read before the change' };
    });
    assert.deepEqual(value, { value: 'read before the change' });
    assert.equal(cache.peek(1), undefined);
  });

  it('does not keep a value whose query began before the feed listened', async () => {
    const { feed, cache } = setUp();
    await using _ = feed;
    await cache.get(1, async () => {
      await feed.start();
      return { value: 'read without listening' };
    });
    assert.equal(cache.peek(1), undefined);
  });

  it('shares a load among concurrent reads, but not with a read after a change', async () => {
    const { feed, cache, heard } = setUp();
    await using _ = feed;
    await feed.start();
    const values = ['before', 'after'];
    const gate = Promise.withResolvers<void>();
    const read = () =>
      cache.get(1, async () => {
        const value = values.shift() ?? 'a third load';
        if (value === 'before') await gate.promise;
        return { value };
      });
    const early = [read(), read()];
    await other.query(`notify rows_changed, '1'`);
    await until(() => heard.includes('1'), 'the notification');
    assert.deepEqual(await read(), { value: 'after' });
    gate.resolve();
    assert.deepEqual(await Promise.all(early), [{ value: 'before' }, { value: 'before' }]);
    assert.deepEqual(cache.peek(1), { value: 'after' });
  });

  it('does not share an absence', async () => {
    const { feed, cache } = setUp();
    await using _ = feed;
    await feed.start();
    const absent = cache.get(1, async () => undefined);
    const inserted = cache.get(1, async () => ({ value: 'inserted meanwhile' }));
    assert.deepEqual([await absent, await inserted], [undefined, { value: 'inserted meanwhile' }]);
  });

  it('does not cache missing rows', async () => {
    const { feed, cache } = setUp();
    await using _ = feed;
    await feed.start();
    assert.equal(await cache.get(1, async () => undefined), undefined);
    assert.deepEqual(await cache.get(1, async () => ({ value: 'there now' })), { value: 'there now' });
  });

  it('forgets immediately what its own process writes', async () => {
    const { feed, cache, read } = setUp();
    await using _ = feed;
    await feed.start();
    await read(1);
    await read(2);
    cache.forget(1);
    assert.equal(cache.peek(1), undefined);
    assert.ok(cache.peek(2));
    cache.forget();
    assert.equal(cache.peek(2), undefined);
  });
});
