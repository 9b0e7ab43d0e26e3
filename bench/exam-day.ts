/**
 * Sixty students of a class start an exam after its session has opened: within a minute, and within the first second. Each opens a terminal
 * and works, while an instructor watches the room. The service runs in a separate process. The references are the minimal start of one
 * container, and requests before.
 */
import { once } from 'node:events';
import Docker from 'dockerode';
import { type ExamDay, examDay } from '../test/exam-day.ts';
import { testEngine } from '../test/server.ts';
import { median, prepareEnvironment, quantile, report } from './environment.ts';
import { launch } from './launch.ts';
import { plainStart } from './plain-start.ts';

const students = 60;
const rounds = 9;

await using _environment = await prepareEnvironment();
const found = await testEngine();
if ('reason' in found) throw new Error(found.reason);
const docker = new Docker(found.options);
const plain: number[] = [];
for (let round = 0; round < rounds; round += 1) plain.push(await plainStart(docker, 'platform-exam-linux-basics'));

for (const { what, within, bounds } of [
  { what: '60 starts within a minute', within: 60_000, bounds: ['< 1,000 ms', '≤ 5.00'] },
  { what: '60 starts within a second', within: 0, bounds: ['', ''] },
] as const) {
  const { child, hello } =
    await launch<Pick<ExamDay, 'url' | 'admin' | 'teacher' | 'exam' | 'course'>>('exam-day-process.ts');
  try {
    const { starts, quiet, bell, queued } = await examDay({ ...hello, students, within, quietRequests: 1000 });
    process.stdout.write(`${starts.length} starts, all successful; ${queued} were queued\n`);
    const reference = median(plain);
    report(`${what}, median / create + start + first command`, median(starts), reference, 'ms', '');
    report('p95 of them', quantile(starts, 0.95), reference, 'ms', bounds[0]);
    report('slowest of them', Math.max(...starts), reference, 'ms', '');
    const [p99, quietP99] = [quantile(bell, 0.99), quantile(quiet, 0.99)];
    report('p99 of GET /api/auth/me meanwhile / in quiet', p99, quietP99, 'ms', bounds[1]);
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}
