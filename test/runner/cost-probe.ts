/** Loaded into each test process by `npm test -- --profile`: writes what each test has cost. */
import { appendFileSync } from 'node:fs';
import { afterEach, type TestContext } from 'node:test';
import { usedMs } from './cpu-time.ts';

/** One line of the record: a test, named with its suites, or what a process used after its last test. */
export type Cost = { suite: string; test: string; pid: number; cpuMs: number; wallMs: number };

const record = process.env['TEST_PROFILE'];

if (record !== undefined && process.env['NODE_TEST_CONTEXT']) {
  let [cpu, time] = [0, performance.timeOrigin];
  let last = '';
  const write = (fullName: string): void => {
    const [nowCpu, nowTime] = [usedMs(), performance.timeOrigin + performance.now()];
    const [suite = ''] = fullName.split(' > ');
    // A browser's own processes take their time with them when they end.
    const cpuMs = Math.max(0, nowCpu - cpu);
    const cost: Cost = { suite, test: fullName, pid: process.pid, cpuMs, wallMs: nowTime - time };
    appendFileSync(record, `${JSON.stringify(cost)}\n`);
    [cpu, time] = [nowCpu, nowTime];
  };
  // Contexts of suites have no hooks of this kind, so this is always a test's.
  afterEach((context) => {
    last = (context as TestContext).fullName;
    write(last);
  });
  process.on('exit', () => write(last));
}
