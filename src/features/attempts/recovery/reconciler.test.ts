import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pino } from 'pino';
import { UnavailableError } from '../../../errors.ts';
import { Reconciler, type ReconcilerParts } from './reconciler.ts';

it('stops the other idle sandboxes if the engine fails to stop one', async () => {
  const idle = [1, 2, 3].map((id) => ({ id, name: `sandbox-${id}`, engine_ref: `ref-${id}` }));
  const recorded: number[] = [];
  const parts = {
    alone: async (work: () => Promise<void>) => await work().then(() => true),
    gone: async () => [],
    engine: {
      list: async () => [],
      stop: async (ref: string) => {
        if (ref === 'ref-1')
          throw new UnavailableError('engine_unavailable', 'The container engine has no room or failed');
      },
    },
    containers: {
      all: async () => [],
      now: async () => new Date(),
      outdatedSandboxes: async () => ({ idle, old: [] }),
      setRunning: async (id: number) => void recorded.push(id),
    },
    attempts: {
      recover: async () => ({ regraded: 0, reservations: [] }),
      settled: async () => new Set(),
      endForgotten: async () => undefined,
    },
    breaks: { endOver: async () => undefined },
    deadlines: { expireOverdue: async () => undefined },
    pool: { refill: async () => undefined },
    limits: { sandboxIdleMinutes: 60, sandboxMaxHours: 24 },
    log: pino({ level: 'silent' }),
  } as unknown as ReconcilerParts;
  assert.equal(await new Reconciler(parts).run(), true);
  assert.deepEqual(recorded, [2, 3]);
});
