import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import Docker from 'dockerode';
import { DockerEngine } from '../../src/adapters/docker/docker-engine.ts';
import { SshShell } from '../../src/adapters/ssh/ssh-shell.ts';
import { loadConfig } from '../../src/config.ts';
import { ShellPool } from '../../src/features/containers/shell-pool.ts';
import { readContent } from '../../src/features/content/layout.ts';
import type { ExamContent, LaboratoryContent } from '../../src/features/content/schema.ts';
import { Grader } from '../../src/features/grading/grader.ts';
import { runTrial, type TrialReport } from '../../src/features/trials/trial.ts';

const { exams, laboratories } = await readContent(join(import.meta.dirname, '../../content'));

const lengths = new Map(exams.map(({ slug, tasks }) => [slug, tasks.length]));
assert.equal(lengths.get('linux-basics'), 8);
assert.equal(lengths.get('linux-services'), 6);
assert.equal(laboratories.length, 4);
assert.ok(laboratories.every(({ tasks }) => tasks.length >= 3 && tasks.every(({ hint }) => hint !== '')));

suite('the shipped exams and laboratories', { skip: process.env['TEST_WITHOUT_ENGINE'] ?? false }, () => {
  for (const subject of [...exams, ...laboratories]) {
    test(`${subject.kind} ${subject.slug}: each check fails at first and says why, and passes after its solution`, {
      timeout: 180_000,
    }, async () => {
      const { is_ok, tasks } = await tryOut(subject);
      for (const { title, problem, first, solution, after } of tasks) {
        assert.equal(problem, null, `${title}: ${problem}\n${solution?.output}\n${after?.output}`);
        assert.match(first.output, /^- .+$/m, `${title} names what is wrong`);
        assert.ok(after?.passed);
      }
      assert.deepEqual([is_ok, tasks.length], [true, subject.tasks.length]);
    });
  }
});

/** On a container as an attempt gets it. */
async function tryOut(subject: ExamContent | LaboratoryContent): Promise<TrialReport> {
  await using cleanup = new AsyncDisposableStack();
  const installation = `test-${randomUUID()}`;
  const engine = cleanup.use(new DockerEngine({ docker: new Docker(), installation, callTimeout: 30_000 }));
  const { containers, grading, trials } = loadConfig({});
  const { memoryMb, cpus, processes, diskMb } = containers;
  const limits = { memoryMb, cpus, processes, diskMb, hasInternet: false };
  const name = `${installation}-${subject.slug}`;
  const ref = await engine.create({ name, uid: randomUUID(), image: subject.container_image, ...limits });
  cleanup.defer(() => engine.remove(ref));
  const shell = new SshShell({ engine });
  const grader = new Grader({ shells: cleanup.use(new ShellPool(shell)), ...grading });
  const tasks = subject.tasks.map((task, index) => ({ ...task, id: index }));
  return await runTrial({ ref, shell, grader, solutionSeconds: trials.solutionSeconds }, tasks);
}
