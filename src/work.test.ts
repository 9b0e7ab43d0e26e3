import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Work } from './work.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

it('repeats a failed chore, and starts no round while the last one runs', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const said: unknown[] = [];
  const jobs = {
    start: async () => {},
    work: async () => {},
    send: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
  const work = new Work({ jobs, log: { warn: (...words: unknown[]) => said.push(words[1]) } });
  const rounds: PromiseWithResolvers<void>[] = [];
  const round = async () => {
    const next = Promise.withResolvers<void>();
    rounds.push(next);
    await next.promise;
  };
  await work.begin({
    expire: async () => {},
    concurrency: 1,
    chores: [{ failure: 'the yard could not be swept', interval: 1000, atOnce: true, work: round }],
  });
  assert.equal(rounds.length, 1);
  t.mock.timers.tick(3500);
  assert.equal(rounds.length, 1);
  rounds[0]?.reject(new Error('no broom'));
  await settle();
  assert.deepEqual(said, ['the yard could not be swept']);
  t.mock.timers.tick(500);
  assert.equal(rounds.length, 2);
  let isEnded = false;
  const end = work[Symbol.asyncDispose]().then(() => {
    isEnded = true;
  });
  await settle();
  assert.ok(!isEnded, 'the round under way is waited for');
  rounds[1]?.resolve();
  await end;
  t.mock.timers.tick(5000);
  assert.equal(rounds.length, 2);
});

it('logs a deadline that cannot be queued', async () => {
  const said: unknown[] = [];
  const send = async (): Promise<void> => await Promise.reject(new Error('no database'));
  const jobs = { start: async () => {}, work: async () => {}, send, [Symbol.asyncDispose]: async () => {} };
  new Work({ jobs, log: { warn: (...words: unknown[]) => said.push(words[1]) } }).expireAt(1, new Date(), '1');
  await settle();
  assert.deepEqual(said, ['the deadline could not be queued']);
});
