import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'node:test';
import { promisify } from 'node:util';
import { createTestDatabase } from '../../test/database.ts';
import { itLong } from '../../test/rounds.ts';
import { engineSkip } from '../../test/server.ts';
import { toolsProgram } from '../../test/service-program.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** The commands of the first laboratory in docs/authoring.md, in their order. */
async function documentedCommands(): Promise<string[]> {
  const text = await readFile(join(root, 'docs/authoring.md'), 'utf8');
  const [, first = ''] = /## Your first laboratory([\s\S]*?)\n## /.exec(text) ?? [];
  return [...first.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, commands = '']) => commands);
}

describe('npm run try', { skip: engineSkip, timeout: 600_000 }, () => {
  // Long: each step works on what the one before has left.
  itLong('tries the first laboratory of the documentation, and what has changed in it first', async () => {
    await using database = await createTestDatabase();
    await using cleanup = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'try-'));
    cleanup.defer(() => rm(folder, { recursive: true }));
    const { connectionString } = database.address;
    const env = { ...process.env, DATABASE_URL: connectionString, DATA_DIR: join(folder, 'data') };
    const attempt = async (...more: string[]): Promise<{ code: number; output: string }> =>
      await new Promise((resolve) => {
        const args = [toolsProgram, 'try', '--directory', join(folder, 'my-content'), ...more];
        execFile(process.execPath, args, { env }, (error, stdout, stderr) =>
          resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
        );
      });
    const [create = '', , solve = '', addCourse = ''] = await documentedCommands();
    const bash = (commands: string) => run('bash', ['-e', '-c', commands], { cwd: folder });

    await bash(create);
    const unsolved = await attempt();
    assert.equal(unsolved.code, 3, unsolved.output);
    assert.match(unsolved.output, /^no solution {3}Write a note: There is no reference solution$/m);
    assert.match(unsolved.output, /^done +0 ok, 1 without a solution$/m);

    await bash(`${solve}\n${addCourse}`);
    const solved = await attempt('--changed');
    assert.equal(solved.code, 0, solved.output);
    assert.match(solved.output, /^ok +Write a note$/m);

    const laboratory = join(folder, 'my-content/laboratories/first-note');
    await cp(join(laboratory, 'tasks/01-note'), join(laboratory, 'tasks/02-more'), { recursive: true });
    await writeFile(join(laboratory, 'tasks/02-more/solution.sh'), 'grep -q hello ~/note.txt\n');
    const path = join(laboratory, 'laboratory.yaml');
    const more = `
  - slug: more
    title: Write more
    points: 1
    verify: tasks/02-more/verify.sh
    solution: tasks/02-more/solution.sh
section:`;
    await writeFile(path, (await readFile(path, 'utf8')).replace('\nsection:', more));
    const junit = join(folder, 'junit.xml');
    const wrong = await attempt('--junit', junit);
    assert.equal(wrong.code, 1, wrong.output);
    const lines = wrong.output.split('\n').filter((line) => /^(trying|changed|ok|WRONG|done)/.test(line));
    assert.deepEqual(lines, [
      'trying        laboratory Your first note: 2 tasks',
      'changed       1 of 2 tasks, which are tried first',
      // Its solution finds the note: the solution of the task before has run.
      'WRONG         Write more: The check passes before its solution, after the solutions of earlier tasks',
      'trying        all 2 tasks',
      'ok            Write a note',
      'WRONG         Write more: The check passes before its solution, after the solutions of earlier tasks',
      'done          1 ok, 1 wrong',
    ]);
    assert.match(await readFile(junit, 'utf8'), /<testsuite name="laboratory first-note" tests="2" failures="1"/);
  });
});
