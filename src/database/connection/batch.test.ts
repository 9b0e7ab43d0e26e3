import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Batch } from './batch.ts';

/** Each batch waits until the test ends it. */
function setUp() {
  const runs: { keys: readonly number[]; end: (error?: Error) => void }[] = [];
  const batch = new Batch<number, string>(async (keys) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    runs.push({ keys, end: (error) => (error ? reject(error) : resolve()) });
    await promise;
    return keys.map((key) => `value of ${key}`);
  });
  return { batch, runs, keysOf: () => runs.map(({ keys }) => keys) };
}

describe('requests in batches', () => {
  it('run at once while few are running, and share a run otherwise', async () => {
    const { batch, runs, keysOf } = setUp();
    const values = [1, 2, 3, 4, 3].map((key) => batch.get(key));
    assert.deepEqual(keysOf(), [[1], [2]]);
    runs[1]?.end();
    assert.equal(await values[1], 'value of 2');
    assert.deepEqual(keysOf(), [[1], [2], [3, 4, 3]]);
    for (const { end } of runs) end();
    assert.deepEqual(
      await Promise.all(values),
      [1, 2, 3, 4, 3].map((key) => `value of ${key}`),
    );
    const last = batch.get(5);
    assert.deepEqual(keysOf().at(-1), [5]);
    runs.at(-1)?.end();
    assert.equal(await last, 'value of 5');
  });

  it('never join a run that has begun: its answer can be older than the request', async () => {
    const { batch, runs, keysOf } = setUp();
    const early = batch.get(1);
    const late = batch.get(1);
    assert.deepEqual(keysOf(), [[1], [1]]);
    for (const { end } of runs) end();
    assert.deepEqual(await Promise.all([early, late]), ['value of 1', 'value of 1']);
  });

  it('fail together, and only those of one run', async () => {
    const { batch, runs } = setUp();
    const values = [1, 2, 3, 4].map((key) => batch.get(key));
    const outcomes = Promise.allSettled(values);
    runs[0]?.end(new Error('lost'));
    await assert.rejects(values[0] as Promise<string>, /lost/);
    runs[2]?.end(new Error('lost again'));
    runs[1]?.end();
    const messages = (await outcomes).map((outcome) =>
      outcome.status === 'rejected' ? outcome.reason.message : outcome.value,
    );
    assert.deepEqual(messages, ['lost', 'value of 2', 'lost again', 'lost again']);
  });

  it('are at most a hundred in a run', async () => {
    const { batch, runs, keysOf } = setUp();
    const values = Array.from({ length: 252 }, (_, key) => batch.get(key));
    for (let run = 0; run < 5; run += 1) {
      runs[run]?.end();
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.deepEqual(
      keysOf().map(({ length }) => length),
      [1, 1, 100, 100, 50],
    );
    assert.equal((await Promise.all(values)).at(-1), 'value of 251');
  });
});
