import assert from 'node:assert/strict';
import { it } from 'node:test';
import Fastify from 'fastify';
import { Deadlines } from './deadlines.ts';

const { log } = Fastify();

/** Gradings that end when the test ends them. */
function gradings() {
  const ends = new Map<number, { resolve: () => void; reject: (error: Error) => void }>();
  const machine = {
    expire: async (id: number) => {
      const { promise, resolve, reject } = Promise.withResolvers<undefined>();
      ends.set(id, { resolve: () => resolve(undefined), reject });
      return await promise;
    },
  };
  return { machine, ends, begun: () => [...ends.keys()] };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

it('continues with the next attempts beside slow gradings, up to a limit', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { machine, ends, begun } = gradings();
  const overdue = [1, 2, 3, 4, 5, 6].map((id) => ({ id }) as never);
  const deadlines = new Deadlines({
    machine,
    store: { overdue: async () => overdue },
    limits: { concurrency: 2, slow: { afterSeconds: 5, max: 2 } },
    log,
  });
  const round = deadlines.expireOverdue();
  await settle();
  assert.deepEqual(begun(), [1, 2]);
  await deadlines.expireOverdue();
  assert.deepEqual(begun(), [1, 2], 'a second round begins no more at once');
  t.mock.timers.tick(5000);
  await settle();
  assert.deepEqual(begun(), [1, 2, 3, 4]);
  t.mock.timers.tick(5000);
  await settle();
  assert.deepEqual(begun(), [1, 2, 3, 4, 5, 6]);
  t.mock.timers.tick(60_000);
  let isOver = false;
  void round.then(() => {
    isOver = true;
  });
  await settle();
  assert.ok(!isOver, 'the fifth and the sixth are too many to be left alone');
  ends.get(5)?.resolve();
  ends.get(6)?.reject(new Error('lost'));
  await round;
  const again = deadlines.expireOverdue();
  await settle();
  assert.deepEqual(begun(), [1, 2, 3, 4, 5, 6], 'those under way are not begun again');
  for (const id of begun()) ends.get(id)?.resolve();
  await again;
});

it('reports a failed grading, including to concurrent callers', async () => {
  const { machine, ends } = gradings();
  const deadlines = new Deadlines({
    machine,
    store: { overdue: async () => [] },
    limits: { concurrency: 1, slow: { afterSeconds: 5, max: 1 } },
    log,
  });
  const asked = [deadlines.expire(1), deadlines.expire(1)].map((one) => assert.rejects(one, /lost/));
  await settle();
  ends.get(1)?.reject(new Error('lost'));
  await Promise.all(asked);
  const later = deadlines.expire(1);
  await settle();
  ends.get(1)?.resolve();
  await later;
});
