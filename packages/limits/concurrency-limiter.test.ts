import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { asClient } from './request-client.ts';

class RefusedError extends Error {}
const refused = () => new RefusedError();

it('refuses callers that waited too long, and serves those still waiting', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const queue = new ConcurrencyLimiter({ concurrency: 1, maxWaiting: 2, maxWaitSeconds: 6 }, refused);
  const first = Promise.withResolvers<string>();
  const running = queue.run(() => first.promise);
  const late = queue.run(async () => 'late');
  const lateRefused = assert.rejects(late, RefusedError);
  t.mock.timers.tick(3000);
  const inTime = queue.run(async () => 'in time');
  await assert.rejects(
    queue.run(async () => 'one too many'),
    RefusedError,
  );
  t.mock.timers.tick(3000);
  await lateRefused;
  first.resolve('first');
  assert.deepEqual(await Promise.all([running, inTime]), ['first', 'in time']);
});

it('runs urgent work first, and refuses the newest other work when the queue is full', async () => {
  const queue = new ConcurrencyLimiter({ concurrency: 1, maxWaiting: 3 }, refused);
  const first = Promise.withResolvers<void>();
  const order: string[] = [];
  const work = (name: string, isUrgent = false) => queue.run(async () => void order.push(name), { isUrgent });
  const running = queue.run(() => first.promise);
  const waiting = [work('one'), work('urgent', true), work('two')];
  const last = assert.rejects(waiting[2] as Promise<void>, RefusedError);
  await assert.rejects(work('three'), RefusedError);
  const more = work('urgent as well', true);
  await last;
  const another = assert.rejects(waiting[0] as Promise<void>, RefusedError);
  const third = work('the third that is urgent', true);
  await another;
  await assert.rejects(work('one urgent too many', true), RefusedError);
  first.resolve();
  await Promise.all([running, waiting[1], more, third]);
  assert.deepEqual(order, ['urgent', 'urgent as well', 'the third that is urgent']);
  assert.deepEqual(queue.load(), { running: 0, waiting: 0 });
});

// Long: the order of turns is followed step by step.
it('continues beside slow work, up to a limit', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const limits = { concurrency: 1, maxWaiting: 9, slow: { afterSeconds: 5, max: 1 } };
  const queue = new ConcurrencyLimiter(limits, refused);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) =>
    queue.run(async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const all = ['slow', 'slow, too', 'quick', 'last'].map(work);
  t.mock.timers.tick(4999);
  await settle();
  assert.deepEqual(begun, ['slow']);
  t.mock.timers.tick(1);
  await settle();
  assert.deepEqual(begun, ['slow', 'slow, too']);
  assert.deepEqual(queue.load(), { running: 2, waiting: 2 });
  t.mock.timers.tick(5000);
  await settle();
  assert.deepEqual(begun, ['slow', 'slow, too'], 'there is no more room aside');
  ends.get('slow')?.();
  await settle();
  assert.deepEqual(begun, ['slow', 'slow, too', 'quick'], 'the one that lingered took the room');
  ends.get('quick')?.();
  await settle();
  assert.deepEqual(begun.at(-1), 'last');
  ends.get('slow, too')?.();
  ends.get('last')?.();
  await Promise.all(all);
  assert.deepEqual(queue.load(), { running: 0, waiting: 0 });
  const again = [work('a'), work('b')];
  await settle();
  assert.equal(begun.at(-1), 'a', 'one at once, as before');
  ends.get('a')?.();
  await settle();
  ends.get('b')?.();
  await Promise.all(again);
});

it('gives turns to each client in the same number, and drops the tasks of the one with the most', async () => {
  const queue = new ConcurrencyLimiter({ concurrency: 1, maxWaiting: 4 }, refused);
  const first = Promise.withResolvers<void>();
  const order: string[] = [];
  const work = (client: string, name: string) => asClient(client, () => queue.run(async () => void order.push(name)));
  const running = queue.run(() => first.promise);
  const [one, two, three, four] = ['a1', 'a2', 'a3', 'a4'].map((name) => work('a', name));
  await assert.rejects(work('a', 'a5'), RefusedError);
  const dropped = [assert.rejects(four as Promise<void>, RefusedError), assert.rejects(three as Promise<void>)];
  const others = [work('b', 'b1'), work('b', 'b2')];
  await Promise.all(dropped);
  await assert.rejects(work('b', 'b3'), RefusedError);
  first.resolve();
  await Promise.all([running, one, two, ...others]);
  assert.deepEqual(order, ['a1', 'b1', 'a2', 'b2']);
});
