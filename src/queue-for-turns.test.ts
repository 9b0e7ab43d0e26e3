import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Unavailable } from './errors.ts';
import { QueueForTurns } from './queue-for-turns.ts';

it('sends away who has waited too long, and gives the turn to who waits still', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const queue = new QueueForTurns({ concurrency: 1, maxWaiting: 2, maxWaitSeconds: 6 }, 'Too many at once');
  const first = Promise.withResolvers<string>();
  const running = queue.run(() => first.promise);
  const late = queue.run(async () => 'late');
  const refused = assert.rejects(late, (error: unknown) => error instanceof Unavailable && error.retryAfter === 5);
  t.mock.timers.tick(3000);
  const inTime = queue.run(async () => 'in time');
  await assert.rejects(
    queue.run(async () => 'one too many'),
    Unavailable,
  );
  t.mock.timers.tick(3000);
  await refused;
  first.resolve('first');
  assert.deepEqual(await Promise.all([running, inTime]), ['first', 'in time']);
});
