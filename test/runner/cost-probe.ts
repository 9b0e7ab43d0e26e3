/** Loaded into each test process by `npm test -- --profile`: writes what each test has cost. */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { afterEach, type TestContext } from 'node:test';

/** One line of the record: a test, named with its suites, or what a process used after its last test. */
export type Cost = { suite: string; test: string; pid: number; cpuMs: number; wallMs: number };

const record = process.env['TEST_PROFILE'];
const ticksPerSecond = 100;

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

/** Of this process with all its threads, of its children that have ended, and of its descendants that run. */
function usedMs(): number {
  const { user, system } = process.cpuUsage();
  const waitedFor = statTicks('self').slice(2);
  return (user + system) / 1000 + toMs(waitedFor) + descendants(process.pid).reduce((sum, pid) => sum + treeMs(pid), 0);
}

const toMs = (ticks: readonly number[]): number => (ticks.reduce((sum, n) => sum + n, 0) * 1000) / ticksPerSecond;
const treeMs = (pid: number): number => toMs(statTicks(`${pid}`));

/** Of a process: its own ticks (user, system), and those of the children that it has waited for. */
function statTicks(pid: string): number[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may contain spaces; user time is the 12th field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).map(Number);
  } catch {
    return [0, 0, 0, 0];
  }
}

function descendants(pid: number): number[] {
  const children = childrenOf(pid);
  return [...children, ...children.flatMap(descendants)];
}

function childrenOf(pid: number): number[] {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    return tasks.flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}
