/**
 * Sixty students of a class start an exam within the second in which its session opens, each opens a terminal and works, while an
 * instructor watches the room. The service runs in a separate process. The references are the minimal start of one container, and
 * requests before.
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
const { child, hello } = await launch<Omit<ExamDay, 'students'>>('exam-day-process.ts');
try {
  const { starts, quiet, bell, queued } = await examDay({ ...hello, students });
  process.stdout.write(`${starts.length} starts, all successful; ${queued} were queued\n`);
  const reference = median(plain);
  report('60 starts at the bell, median / create + start + first command', median(starts), reference, 'ms', '');
  report('p95 of them', quantile(starts, 0.95), reference, 'ms', '');
  report('slowest of them', Math.max(...starts), reference, 'ms', '');
  const [p99, quietP99] = [quantile(bell, 0.99), quantile(quiet, 0.99)];
  report('p99 of GET /api/auth/me meanwhile / in quiet', p99, quietP99, 'ms', '≤ 5.00');
} finally {
  child.kill('SIGTERM');
  await once(child, 'exit');
}
