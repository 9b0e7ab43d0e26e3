import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { UnavailableError } from '../../../errors.ts';
import { HashThreads } from './passwords.ts';

/** The priorities of all threads of this process, by thread. See proc_pid_stat(5). */
async function priorities(): Promise<Map<string, number>> {
  const threads = await readdir('/proc/self/task');
  const entries = threads.map(async (thread): Promise<[string, number]> => {
    const stat = await readFile(`/proc/self/task/${thread}/stat`, 'utf8');
    // Fields are counted after the name, because the name can contain any character.
    return [thread, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])];
  });
  return new Map(await Promise.all(entries));
}

const source = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`);

describe('the threads of hashing', () => {
  it('have a reduced priority, unlike the rest of the process', {
    skip: process.platform !== 'linux',
  }, async () => {
    const before = await priorities();
    const threads = new HashThreads();
    await Promise.all([1, 2].map(() => threads.run({ password: 'x', cost: 4 })));
    // Threads that start later, such as those for file reads, have the usual priority.
    const fresh = [...(await priorities())].filter(([thread]) => !before.has(thread));
    assert.deepEqual(
      fresh.map(([, nice]) => nice).filter((nice) => nice !== 0),
      [5, 5],
    );
    for (const [thread, nice] of await priorities()) if (before.has(thread)) assert.equal(nice, before.get(thread));
  });

  it('fail the job of a dying thread, and start another thread for the next job', async () => {
    let deaths = 0;
    const threads = new HashThreads(
      source(`import { parentPort } from 'node:worker_threads';
        parentPort.on('message', ({ password }) => {
          if (password === 'die') process.exit(1);
          if (password === 'throw') throw new Error('broken');
          parentPort.postMessage({ value: password });
        });`),
    );
    for (const password of ['die', 'throw', 'die']) {
      await assert.rejects(threads.run({ password, cost: 4 }), (error) => {
        deaths += 1;
        return error instanceof UnavailableError && error.retryAfter === 1;
      });
      assert.equal(await threads.run({ password: 'good', cost: 4 }), 'good');
    }
    assert.equal(deaths, 3);
  });

  it('report what bcrypt refuses, and continue', async () => {
    const threads = new HashThreads();
    await assert.rejects(threads.run({ password: 'x', cost: 99 }), /cost/i);
    assert.match(String(await threads.run({ password: 'x', cost: 4 })), /^\$2b\$04\$/);
  });
});
