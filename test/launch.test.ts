import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { itLong } from './rounds.ts';

const run = promisify(execFile);

/** The launched command: prints its arguments, then acts on the first one. */
const command = `
  process.on('SIGTERM', () => process.exit(7));
  console.log(process.argv[3] === 'wait' ? process.pid : JSON.stringify(process.argv.slice(2)));
  if (process.argv[3] === 'exit') process.exitCode = Number(process.argv[4]);
  if (process.argv[3] === 'wait') setInterval(() => {}, 1000);`;

describe('launch.mjs', { timeout: 600_000 }, () => {
  let project: string;

  before(async () => {
    project = await mkdtemp(join(tmpdir(), 'launch test '));
    await mkdir(join(project, 'src'));
    await mkdir(join(project, 'dependency'));
    await cp(join(import.meta.dirname, '../launch.mjs'), join(project, 'launch.mjs'));
    await writeFile(join(project, 'src/main.ts'), command);
    await writeFile(join(project, 'dependency/package.json'), '{"name":"dependency","version":"1.0.0"}');
    await run('npm', ['pack', './dependency', '--silent'], { cwd: project });
    const dependencies = { dependency: 'file:dependency-1.0.0.tgz' };
    await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'project', version: '1.0.0', dependencies }));
    await run('npm', ['install', '--package-lock-only', '--silent'], { cwd: project });
  });
  after(() => rm(project, { recursive: true, force: true }));

  function launch(...args: string[]): { child: ChildProcess; output: () => string } {
    const child = spawn(process.execPath, [join(project, 'launch.mjs'), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const chunks: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
    return { child, output: () => chunks.join('') };
  }

  async function finish({ child, output }: ReturnType<typeof launch>) {
    const [code, signal] = await once(child, 'close');
    return { code, signal, output: output() };
  }

  /** The id of the command's own process, once it runs. */
  async function processOf({ child, output }: ReturnType<typeof launch>): Promise<number> {
    while (!/^\d+$/m.test(output())) await once(child.stdout ?? child, 'data');
    return Number(output());
  }

  itLong('installs once for concurrent starts, and never again', async () => {
    const results = await Promise.all([
      finish(launch('src/main.ts', 'start', 'a')),
      finish(launch('src/main.ts', 'start', 'b')),
      finish(launch('src/main.ts', 'doctor')),
    ]);
    assert.deepEqual(
      results.map(({ code }) => code),
      [0, 0, 0],
    );
    const installed = results.filter(({ output }) => /installed in \d+ s/.test(output));
    assert.equal(installed.length, 1, results.map(({ output }) => output).join('\n---\n'));
    assert.match(await readFile(join(project, 'node_modules/dependency/package.json'), 'utf8'), /1\.0\.0/);
    const again = await finish(launch('src/main.ts', 'start', 'a b', '--flag'));
    assert.equal(again.output, '["start","a b","--flag"]\n');
  });

  itLong('accepts a manual installation, and refuses one of another lock file', async () => {
    await rm(join(project, 'node_modules'), { recursive: true, force: true });
    await run('npm', ['ci', '--silent'], { cwd: project });
    assert.doesNotMatch((await finish(launch('src/main.ts', 'start'))).output, /npm ci/);

    const record = join(project, 'node_modules/.package-lock.json');
    const changed = (await readFile(record, 'utf8')).replace(/"integrity": "sha512-..../, '"integrity": "sha512-AAAA');
    await writeFile(record, changed);
    await rm(join(project, 'node_modules/.lock-stamp'));
    assert.match((await finish(launch('src/main.ts', 'start'))).output, /installed in/);
  });

  it('reports a failed installation, and leaves no stamp', async () => {
    const lock = join(project, 'package-lock.json');
    const good = await readFile(lock, 'utf8');
    await writeFile(lock, good.replace(/"integrity": "sha512-..../, '"integrity": "sha512-AAAA'));
    const failed = await finish(launch('src/main.ts', 'start'));
    assert.equal(failed.code, 1);
    assert.match(failed.output, /npm ci did not succeed/);
    assert.doesNotMatch(failed.output, /\["start"\]/);
    await writeFile(lock, good);
    assert.match((await finish(launch('src/main.ts', 'start'))).output, /installed in[\s\S]*\["start"\]/);
  });

  it('installs nothing without a checksum in the lock file', async () => {
    const lock = join(project, 'package-lock.json');
    const good = await readFile(lock, 'utf8');
    await rm(join(project, 'node_modules'), { recursive: true });
    try {
      for (const other of ['', ', "integrity": "sha1-MDCqGLCIjXZ0RKSOwg5CvcoExnA="']) {
        await writeFile(lock, good.replace(/,\s+"integrity": "sha512-.*"/, other));
        const refused = await finish(launch('src/main.ts', 'start'));
        assert.equal(refused.code, 1, refused.output);
        assert.match(refused.output, /no SHA-512 checksum of dependency@/);
        await assert.rejects(readFile(join(project, 'node_modules/dependency/package.json')), { code: 'ENOENT' });
      }
    } finally {
      await writeFile(lock, good);
    }
    assert.match((await finish(launch('src/main.ts', 'start'))).output, /installed in/);
  });

  itLong('refuses to run if the lock file lacks a package for this platform', async () => {
    const part = `part-${process.platform}-${process.arch}`;
    const manifest = {
      name: 'parent',
      version: '1.0.0',
      optionalDependencies: { [part]: '1.2.3', 'part-elsewhere-x64': '1.2.3' },
    };
    const lock = join(project, 'package-lock.json');
    const own = join(project, 'package.json');
    const before = await Promise.all([readFile(lock, 'utf8'), readFile(own, 'utf8')]);
    await mkdir(join(project, 'parent'));
    await writeFile(join(project, 'parent/package.json'), JSON.stringify(manifest));
    await run('npm', ['pack', './parent', '--silent'], { cwd: project });
    try {
      const changed = JSON.parse(before[1]);
      changed.dependencies.parent = 'file:parent-1.0.0.tgz';
      await writeFile(own, JSON.stringify(changed));
      await run('npm', ['install', '--package-lock-only', '--silent', '--offline'], { cwd: project });
      const locked = JSON.parse(await readFile(lock, 'utf8'));
      delete locked.packages['node_modules/parent'].optionalDependencies;
      await writeFile(lock, JSON.stringify(locked));
      for (const attempt of [1, 2]) {
        const refused = await finish(launch('src/main.ts', 'start'));
        assert.equal(refused.code, 1, `${attempt}: ${refused.output}`);
        assert.match(
          refused.output,
          new RegExp(
            `${part}@1\\.2\\.3, a part of parent: package-lock.json has no checksum[^]*docs/contributing\\.md`,
          ),
        );
        assert.doesNotMatch(refused.output, /part-elsewhere/);
      }
    } finally {
      await writeFile(lock, before[0]);
      await writeFile(own, before[1]);
    }
    assert.match((await finish(launch('src/main.ts', 'start'))).output, /\["start"\]/);
  });

  it('ends with the status of the command, and with its signal', async () => {
    assert.equal((await finish(launch('src/main.ts', 'start', 'exit', '3'))).code, 3);
    const unknown = await finish(launch('src/nonsense.ts'));
    assert.equal(unknown.code, 2);
    assert.match(unknown.output, /There is no script "src\/nonsense\.ts"/);
    const killed = launch('src/main.ts', 'start', 'wait');
    process.kill(await processOf(killed), 'SIGKILL');
    assert.equal((await finish(killed)).signal, 'SIGKILL');
  });

  it('forwards SIGTERM to the command', async () => {
    const running = launch('src/main.ts', 'start', 'wait');
    await processOf(running);
    running.child.kill('SIGTERM');
    assert.equal((await finish(running)).code, 7);
  });
});
