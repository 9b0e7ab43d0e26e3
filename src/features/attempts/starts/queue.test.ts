import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import type { Caller } from '../../../http/access/access.ts';
import { newCreations } from '../../capacity/creations.ts';
import { StartQueue, type StartQueueParts } from './queue.ts';

/** Its containers are created when the caller says so. */
function queueOf(creating: (() => void)[], concurrency: number): StartQueue {
  let attempts = 0;
  const parts = {
    concurrency,
    stopTimeout: 100,
    log: pino({ level: 'silent' }),
    feed: { on: () => {} },
    engine: { problem: () => undefined },
    store: {},
    containers: {},
    creations: newCreations(),
    queue: {
      placesOf: async ([id = 0]: readonly number[]) =>
        new Map([[id, { status: 'queued', position: 1, estimated_seconds: null }]]),
    },
    reservations: {
      reserve: async (_subject: object, _userId: number, { isNewAllowed }: { isNewAllowed: boolean }) => {
        await turn();
        attempts += 1;
        const attempt = { id: attempts };
        return { attempt, placed: isNewAllowed ? { row: { status: 'creating' } } : undefined };
      },
      hasNext: async () => false,
    },
    starts: {
      run: async ({ attempt }: { attempt: object }) =>
        await new Promise((resolve) => creating.push(() => resolve({ attempt, container: {} }))),
    },
  } as unknown as StartQueueParts;
  return new StartQueue(parts);
}

it('creates no more containers at once than allowed, however many users press at once', async () => {
  const creating: (() => void)[] = [];
  await using queue = queueOf(creating, 2);
  const assessment = { kind: 'exam', id: 1, title: 'Shell' } as const;
  const pressed = Array.from(
    { length: 10 },
    async (_, id) =>
      await queue.start({ id } as Caller, assessment, { entry: { address: '127.0.0.1' }, mayQueue: true }),
  );
  const queued = await Promise.race(pressed.slice(2));
  assert.ok('attempt_id' in queued, 'the third waits');
  await Promise.all(pressed.slice(2));
  assert.equal(creating.length, 2);
  for (const create of creating) create();
  await Promise.all(pressed);
});
