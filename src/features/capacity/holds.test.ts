import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pino } from 'pino';
import type { EngineContainer } from '../../ports/container-engine.ts';
import { ContainerHolds } from './holds.ts';

const container: EngineContainer = {
  ...{ ref: 'c1', uid: 'u1', name: 'exam-1-user-1-1', isRunning: true, isFrozen: false },
  createdAt: new Date(0),
};

/** A process of the service, whose engine reports what it is asked for. */
function open(name: string, calls: string[], ask: (topic: string, text: string) => Promise<string[]>) {
  const note = async (call: string): Promise<void> => void calls.push(`${name} ${call}`);
  const answers = new Map<string, (text: string) => unknown>();
  const holds = new ContainerHolds({
    engine: {
      freeze: (ref) => note(`freezes ${ref}`),
      settle: (refs) => note(`starts nothing in ${refs.join(', ')}`),
      start: (ref) => note(`continues ${ref}`),
      stop: (ref) => note(`stops ${ref}`),
      list: async () => [container],
    },
    store: {
      frozen: async () => new Set(['c1']),
      forbidden: async () => [],
      recordHeld: (refs) => note(`records ${refs.join(', ')}`),
    },
    containers: { setRunning: async () => undefined },
    peers: { ask, answer: (topic, answer) => void answers.set(topic, answer) },
    log: pino({ level: 'silent' }),
  });
  return { holds, answers };
}

it('containers are frozen when no process starts programs in them', async () => {
  const calls: string[] = [];
  const other = open('the other process', calls, async () => []);
  const { holds } = open('this process', calls, async (topic, text) => [`${await other.answers.get(topic)?.(text)}`]);
  await holds.follow();
  assert.deepEqual(calls, [
    'the other process starts nothing in c1',
    'this process freezes c1',
    'this process records c1',
  ]);
});
