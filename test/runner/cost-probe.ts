/** Loaded into each test process by `npm test -- --profile`: writes what each test has cost. */
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import { afterEach, type TestContext } from 'node:test';
import { usedMs } from './cpu-time.ts';

/** One line of the record: a test, named with its suites, or what a process used after its last test. */
export type Cost = { suite: string; test: string; pid: number; cpuMs: number; wallMs: number; containers: number };

const record = process.env['TEST_PROFILE'];

if (record !== undefined && process.env['NODE_TEST_CONTEXT']) {
  let [cpu, time] = [0, performance.timeOrigin];
  let last = '';
  let containers = 0;
  // The engine creates them, so that their cost is not that of this process.
  subscribe('http.client.request.start', (message) => {
    const { request } = message as { request: ClientRequest };
    if (request.method === 'POST' && request.path.includes('/containers/create')) containers += 1;
  });
  const write = (fullName: string): void => {
    const [nowCpu, nowTime] = [usedMs(), performance.timeOrigin + performance.now()];
    const [suite = ''] = fullName.split(' > ');
    // A browser's own processes take their time with them when they end.
    const cpuMs = Math.max(0, nowCpu - cpu);
    const cost: Cost = { suite, test: fullName, pid: process.pid, cpuMs, wallMs: nowTime - time, containers };
    appendFileSync(record, `${JSON.stringify(cost)}\n`);
    [cpu, time, containers] = [nowCpu, nowTime, 0];
  };
  // Contexts of suites have no hooks of this kind, so this is always a test's.
  afterEach((context) => {
    last = (context as TestContext).fullName;
    write(last);
  });
  process.on('exit', () => write(last));
}
