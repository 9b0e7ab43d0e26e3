import assert from 'node:assert/strict';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { createTestDatabase } from '../../test/database.ts';
import { Launched } from '../../test/launched.ts';
import { itLong } from '../../test/rounds.ts';
import { engineSkip } from '../../test/server.ts';
import { toolsProgram } from '../../test/service-program.ts';
import { until } from '../../test/until.ts';

/** The commands as an operator runs them, each in its own process. */
describe('commands', { timeout: 600_000 }, () => {
  let commands: Launched;
  let dataDir: string;
  let port: number;
  before(async () => {
    commands = await Launched.prepare();
    ({ dataDir, port } = commands);
  });
  afterEach(() => commands.endAll());
  after(() => commands[Symbol.asyncDispose]());

  const launch: Launched['launch'] = (...args) => commands.launch(...args);
  const logIn = async (username: string, password: string) => (await commands.logIn(username, password)).status;

  // Long: one journey, whose steps stand on each other.
  it('starts in an empty folder, serves, and stops on a signal', async () => {
    const service = launch(['start']);
    const output = await service.until(/^ready /m);
    const steps = output
      .split('\n')
      .map((line) => line.split(' ')[0])
      .filter((step, index, all) => step && step !== all[index - 1]);
    const inOrder = (...names: string[]) => steps.filter((step) => names.includes(step ?? ''));
    // The engine is prepared while the database is filled.
    for (const order of [
      ['data', 'database', 'migrations', 'content', 'ready'],
      ['database', 'engine', 'images', 'ready'],
    ])
      assert.deepEqual(inOrder(...order), order);
    assert.match(output, /^images .*, on (ubuntu:22\.04|.+ in place of ubuntu:22\.04)$/m);
    assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200);
    const password = /^password +(\S+)/m.exec(output)?.[1] ?? assert.fail('no password was printed');
    assert.equal(await logIn('admin', password), 200);

    const second = await launch(['start'], { PORT: '0' }).end();
    assert.equal(second.code, 1);
    assert.match(second.output, new RegExp(`already running on .*process ${service.child.pid}`));
    const open = await Promise.all(
      ['', 'secret-key', 'postgres.log', 'lessons'].map((name) => stat(join(dataDir, name))),
    );
    for (const { mode } of open) assert.equal(mode & 0o067, 0);
    const asRoot = /^data +the service runs as root: a normal user/m.test(output);
    assert.equal(asRoot, process.getuid?.() === 0);
    const samePort = await launch(['start'], { DATA_DIR: join(dataDir, 'other') }).end();
    assert.match(samePort.output, /already listens on .*: stop it, or set PORT/);

    const account = ['--username', 'ada', '--email', 'ada@school.example.com', '--password-stdin'];
    const made = await launch(['create-admin', ...account], {}, 'a secret of ada\n').end();
    assert.deepEqual([made.code, /ada \(id \d+\) may log in/.test(made.output)], [0, true]);
    assert.doesNotMatch(made.output, /a secret/);
    assert.equal(await logIn('ada', 'a secret of ada'), 200);

    service.child.kill('SIGTERM');
    assert.equal((await service.end()).code, 0);
    await assert.rejects(fetch(`http://127.0.0.1:${port}/readyz`));
  });

  it('refuses an invalid address of lessons before creating anything', async () => {
    const folder = join(dataDir, 'none');
    const service = await launch(['start'], { LESSONS_REPO_URL: 'ext::sh -c id', DATA_DIR: folder }).end();
    assert.equal(service.code, 1);
    assert.match(service.output, /address \(LESSONS_REPO_URL\) is not usable/);
    await assert.rejects(stat(folder), { code: 'ENOENT' });
  });

  it('starts again without repeating work, and continues after it was killed', async (t) => {
    const killed = launch(['start']);
    const output = await killed.until(/^ready /m);
    const [user, system] = (await readFile(`/proc/${killed.child.pid}/stat`, 'utf8'))
      .split(' ')
      .slice(13, 15)
      .map(Number);
    t.diagnostic(`a start computes for ${user} + ${system} hundredths of a second`);
    assert.match(output, /^migrations +up to date$/m);
    assert.match(output, /^content +there already$/m);
    assert.doesNotMatch(output, /^password|making a PostgreSQL|built /m);
    assert.equal(await logIn('ada', 'a secret of ada'), 200);
    killed.child.kill('SIGKILL');
    await killed.end();
    const service = launch(['start'], { RECONCILE_SECONDS: '1' });
    const again = await service.until(/^ready /m);
    assert.match(again, /of our own in .*, running already/);
    assert.match(again, /^WARNING +RECONCILE_SECONDS is no setting any more and has no effect/m);
    assert.equal(await logIn('ada', 'a secret of ada'), 200);
    service.child.kill('SIGINT');
    assert.equal((await service.end()).code, 0);
  });

  itLong('serves everything else without an engine, and reports the reason', async () => {
    const service = launch(['start', '--no-install'], { DOCKER_HOST: `unix://${dataDir}/none.sock` });
    assert.match(await service.until(/^ready /m), /^engine +NONE, .*DOCKER_HOST is set/m);
    assert.deepEqual(await (await fetch(`http://127.0.0.1:${port}/readyz`)).json(), {
      status: 'ok',
      has_database: true,
      has_containers: false,
    });
    const doctor = await launch(['doctor'], { DOCKER_HOST: `unix://${dataDir}/none.sock` }).end();
    assert.equal(doctor.code, 1);
    assert.match(doctor.output, /^missing +engine /m);
    assert.match(doctor.output, /^ok +database +PostgreSQL 18\.\d+ of our own, running$/m);
  });

  itLong('stops during the preparation', async () => {
    const service = launch(['start']);
    await service.until(/^data /m);
    service.child.kill('SIGTERM');
    assert.equal((await service.end()).code, 0);
  });

  it('uses the database of DATABASE_URL, and never prints its password', async () => {
    await using database = await createTestDatabase();
    const url = new URL(database.address.connectionString);
    url.password = 'not-for-the-log';
    const { code, output } = await launch(['migrate'], { DATABASE_URL: url.href }).end();
    assert.equal(code, 0, output);
    assert.match(output, /^migrations +up to date$/m);
    url.pathname = '/there_is_none';
    const missing = await launch(['migrate'], { DATABASE_URL: url.href }).end();
    assert.equal(missing.code, 1);
    assert.match(missing.output, /DATABASE_URL cannot be used: .*there_is_none/);
    assert.doesNotMatch(output + missing.output, /not-for-the-log/);
  });

  itLong('exports and imports content beside a running service, which shows it immediately', async () => {
    const service = launch(['start']);
    await service.until(/^ready /m);
    const directory = join(dataDir, 'exported');
    const exported = await launch(['export', directory]).end();
    assert.equal(exported.code, 0, exported.output);
    assert.match(exported.output, /^lessons +written as well$/m);

    const account = ['--username', 'bob', '--email', 'bob@school.example.com', '--password-stdin'];
    assert.equal((await launch(['create-admin', ...account], {}, 'a secret of bob\n').end()).code, 0);
    const { token } = await commands.logIn('bob', 'a secret of bob');
    const titles = async () => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`http://127.0.0.1:${port}/api/exams`, { headers });
      return ((await answer.json()) as { title: string }[]).map(({ title }) => title);
    };
    assert.ok((await titles()).includes('Linux basics'), 'in the cache now');
    const file = join(directory, 'exams/linux-basics/exam.yaml');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('title: Linux basics', 'title: Basics renewed'));
    const imported = await launch(['import', directory]).end();
    assert.deepEqual([imported.code, /^updated +exam linux-basics: title$/m.test(imported.output)], [0, true]);
    assert.match(imported.output, /^lessons +the \d+ files of .* are not copied: push them to the repository/m);
    await until(async () => (await titles()).includes('Basics renewed'), 'the new title');
    service.child.kill('SIGTERM');
    assert.equal((await service.end()).code, 0);
  });

  itLong('imports nothing where nothing has changed, only shows what it would, and refuses problems', async () => {
    const service = launch(['start']);
    await service.until(/^ready /m);
    const directory = join(dataDir, 'exported again');
    assert.equal((await launch(['export', directory]).end()).code, 0);
    const unchanged = await launch(['import', directory]).end();
    assert.deepEqual([unchanged.code, /^(created|updated|removed|left) /m.test(unchanged.output)], [0, false]);
    const file = join(directory, 'exams/linux-basics/exam.yaml');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/^title: .*$/m, 'title: Another title'));
    const dry = await launch(['import', directory, '--dry-run']).end();
    assert.match(dry.output, /^updated +exam linux-basics: title$/m);
    await writeFile(file, 'format: 1\nkind: exam\n');
    const broken = await launch(['import', directory]).end();
    assert.equal(broken.code, 1);
    assert.match(broken.output, /exams\/linux-basics\/exam\.yaml:1: slug is missing/);
    const again = await launch(['export', directory]).end();
    assert.deepEqual([again.code, /is not empty/.test(again.output)], [1, true]);
    service.child.kill('SIGTERM');
    assert.equal((await service.end()).code, 0);
  });

  itLong('tries scripts of files, and those of the database after their import', { skip: engineSkip }, async () => {
    const directory = join(dataDir, 'tiny');
    const folder = join(directory, 'exams/tiny');
    await mkdir(folder, { recursive: true });
    const head = 'format: 1\nkind: exam\nslug: tiny\ntitle: Tiny\ncontainer_image: platform-exam-linux-basics';
    const task = '{slug: one, title: One, points: 1, verify: verify.sh, solution: solution.sh}';
    await writeFile(
      join(folder, 'exam.yaml'),
      `${head}\ntime_limit_minutes: 5\npassing_score: 1\ntasks:\n  - ${task}\n`,
    );
    await writeFile(join(folder, 'verify.sh'), 'echo PASS\n');
    await writeFile(join(folder, 'solution.sh'), 'touch ~/one\n');
    const tryExam = (...args: string[]) => launch(['try', 'exam', 'tiny', ...args], {}, undefined, toolsProgram).end();
    const wrong = await tryExam('--directory', directory);
    assert.equal(wrong.code, 1);
    assert.match(wrong.output, /^WRONG +One: The check passes before anything is done$/m);

    await writeFile(join(folder, 'verify.sh'), 'if [ -e /home/student/one ]; then echo PASS; else echo FAIL; fi\n');
    const unknown = await tryExam();
    assert.deepEqual([unknown.code, /There is no exam tiny/.test(unknown.output)], [1, true]);
    assert.equal((await launch(['import', directory]).end()).code, 0);
    const good = await tryExam();
    assert.equal(good.code, 0, good.output);
    assert.match(good.output, /^ok +One$(.|\n)*^done +1 ok$/m);
  });

  it('refuses invalid settings and accounts before doing anything', async () => {
    const other = join(dataDir, 'untouched');
    const bad = await launch(['start'], { PORT: 'eighty', DATA_DIR: other }).end();
    assert.match(bad.output, /PORT takes a whole number/);
    const account = ['--username', 'x', '--email', 'x@y.test'];
    const refused = await launch(['create-admin', ...account], { DATA_DIR: other }).end();
    assert.match(refused.output, /username: String should have at least 2 characters/);
  });
});
