/**
 * Starting and grading exams over HTTP, against the minimal equivalent: create + start + first command through the engine's API
 * with OpenSSH as the shell, and the same scripts over one shared OpenSSH connection. Rounds alternate; medians are compared.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Docker from 'dockerode';
import { makeAssessment, warmedUp } from '../test/made-assessment.ts';
import { TestServer, type TestUser, testEngine } from '../test/server.ts';
import { until } from '../test/until.ts';
import { median, prepareEnvironment, report, timed } from './environment.ts';
import { openSshServer } from './open-ssh.ts';
import { plainStart } from './plain-start.ts';

const run = promisify(execFile);
const image = 'platform-exam-linux-basics';
const rounds = 25;
/** Rounds that are not counted: each connection to the database prepares its statements once, and functions are compiled. */
const firstRounds = 5;

await using _environment = await prepareEnvironment();
const found = await testEngine();
if ('reason' in found) throw new Error(found.reason);
const docker = new Docker(found.options);

const examOf = (server: TestServer, admin: TestUser) =>
  makeAssessment(server, admin, 'exam', Array<string>(8).fill('echo PASS'), { time_limit_minutes: 60 });

const starts = { plain: [] as number[], cold: [] as number[], warm: [] as number[] };
const grading = { ours: [] as number[], openSsh: [] as number[] };
{
  await using cold = await TestServer.start({ WARM_CONTAINERS: '0' });
  await using warm = await TestServer.start({ WARM_CONTAINERS: '1' });
  const [coldAdmin, warmAdmin] = [await cold.user('admin'), await warm.user('admin')];
  const [coldExam, warmExam] = [await examOf(cold, coldAdmin), await examOf(warm, warmAdmin)];
  await warm.application.reconciler.run();

  const folder = await mkdtemp(join(tmpdir(), 'platform-bench-ssh-'));
  await using reference = await openSshServer(docker, found.options, image, folder);
  const script = join(folder, 'scripts.sh');
  const ssh = `ssh -F ${reference.config} container`;
  await writeFile(
    script,
    Array.from({ length: 8 }, () => `[ "$(echo 'echo PASS' | ${ssh} bash)" = PASS ] || exit 1`).join('\n'),
  );
  const master = spawn('ssh', ['-F', reference.config, '-MN', 'container'], { stdio: 'ignore' });
  await until(
    () =>
      run('ssh', ['-F', reference.config, '-O', 'check', 'container']).then(
        () => true,
        () => false,
      ),
    'the shared connection',
  );

  for (let round = -firstRounds; round < rounds; round += 1) {
    if (round === 0) for (const times of [...Object.values(starts), ...Object.values(grading)]) times.length = 0;
    // Each student starts an exam once. A second start within the same second would look for a free name.
    const [coldUser, warmUser] = [await cold.user(), await warm.user()];
    starts.plain.push(await plainStart(docker, image));
    starts.cold.push(await timed(() => start(cold, coldUser, coldExam)));
    await submit(cold, coldUser, coldExam);
    await remaining(cold, 0);
    await warmedUp(warm, 1);
    starts.warm.push(await timed(() => start(warm, warmUser, warmExam)));
    await warmedUp(warm, 1);
    grading.openSsh.push(await timed(() => run('sh', [script])));
    grading.ours.push(await timed(() => submit(warm, warmUser, warmExam)));
    await remaining(warm, 1);
  }
  master.kill();
  await rm(folder, { recursive: true, force: true });
}

/** Waits until the others are removed, because that keeps the engine busy. */
async function remaining({ application }: TestServer, count: number): Promise<void> {
  const containers = application.db.selectFrom('containers').select('id');
  await until(async () => (await containers.execute()).length === count, 'the containers to go');
}

async function start(server: TestServer, user: TestUser, exam: number): Promise<void> {
  await post(server, user, `/api/exams/${exam}/start`, 201);
}

async function submit(server: TestServer, user: TestUser, exam: number): Promise<void> {
  const { score, max_score } = await post(server, user, `/api/exams/${exam}/submit`, 200);
  if (score !== max_score) throw new Error(`${score} of ${max_score} points`);
}

/** Without the tests' comparison of each answer with the API document. */
async function post(server: TestServer, { token }: TestUser, path: string, expected: number) {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(server.url + path, { method: 'POST', headers });
  const text = await response.text();
  if (response.status !== expected) throw new Error(text);
  return JSON.parse(text) as { score?: number; max_score?: number };
}

report(
  'start with a warm container / create + start + first command',
  median(starts.warm),
  median(starts.plain),
  'ms',
  '≤ 0.05',
);
report('start without one / create + start + first command', median(starts.cold), median(starts.plain), 'ms', '≤ 0.60');
report(
  'grading 8 tasks / 8 scripts over shared OpenSSH',
  median(grading.ours),
  median(grading.openSsh),
  'ms',
  '≤ 0.60',
);
