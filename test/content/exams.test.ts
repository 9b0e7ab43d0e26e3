import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, suite } from 'node:test';
import Docker from 'dockerode';
import { pino } from 'pino';
import { SshShell } from '../../packages/ssh/ssh-shell.ts';
import { DockerEngine } from '../../src/adapters/docker/docker-engine.ts';
import { loadConfig } from '../../src/config.ts';
import { variedTasks } from '../../src/entities/task-kinds/kinds.ts';
import { ContainerSetup } from '../../src/features/capacity/container-setup.ts';
import { ShellPool } from '../../src/features/capacity/shell-pool.ts';
import { readContent } from '../../src/features/content/layout.ts';
import type { ExamContent, LaboratoryContent } from '../../src/features/content/schema.ts';
import { Grader } from '../../src/features/grading/grader.ts';
import { tryAnswers } from '../../src/features/trials/answer-trial.ts';
import { opponents } from '../../src/features/trials/opponent-program.ts';
import { type OpponentTask, runAttacks } from '../../src/features/trials/opponents.ts';
import { runTrial, type TrialParts } from '../../src/features/trials/trial.ts';
import { draw } from '../../src/values/variant.ts';
import { isFull, itInFull, itLong } from '../rounds.ts';

const { exams, laboratories } = await readContent(join(import.meta.dirname, '../../content'));

const lengths = new Map(exams.map(({ slug, tasks }) => [slug, tasks.length]));
assert.equal(lengths.get('file-permissions'), 5);
assert.equal(lengths.get('linux-basics'), 8);
assert.equal(lengths.get('linux-services'), 6);
assert.equal(lengths.get('mend-the-machine'), 6);
assert.equal(laboratories.length, 10);
assert.ok(laboratories.every(({ tasks }) => tasks.length >= 3 && tasks.every(({ hint }) => hint !== '')));

type Assessment = ExamContent | LaboratoryContent;
const subjects: Assessment[] = [...exams, ...laboratories];
const scriptsOf = ({ setup_script, tasks }: Assessment): string[] =>
  [setup_script, ...tasks.map((task) => task.setup_script)].filter((script) => script !== null);
const filesOf = ({ files, tasks }: Assessment) => [...files, ...tasks.flatMap((task) => task.files)];
/**
 * Its checks meet opponents in each long run, those of the other prepared machines in a full one. In a long run each check meets two of the
 * opponents, which take turns, in a full one all.
 */
const sample = 'permissions-and-processes';
const isPrepared = (assessment: Assessment): boolean => scriptsOf(assessment).length > 0;
assert.ok(laboratories.filter(isPrepared).length >= 8);

suite('the shipped exams and laboratories', { skip: process.env['TEST_WITHOUT_ENGINE'] ?? false }, () => {
  const targets = new Map<Assessment, (OpponentTask & { title: string })[]>();
  // Each waits for its container most of the time.
  describe('each check fails at first with a reason, and passes after its solution', { concurrency: 3 }, () => {
    for (const assessment of subjects) {
      itLong(`${assessment.kind} ${assessment.slug}`, { timeout: 600_000 }, () => tryOut(assessment));
    }
  });

  async function tryOut(assessment: Assessment): Promise<void> {
    const numbered = assessment.tasks.map((task, index) => ({ ...task, id: index }));
    const tasks = variedTasks(numbered, draw('shared.0', numbered));
    const isSequential = 'is_sequential' in assessment && assessment.is_sequential;
    const checks = tasks.filter(({ kind }) => kind === 'check');
    const tested = await inContainer(assessment, async (parts) => await runTrial({ ...parts, isSequential }, checks));
    for (const { title, problem, first, solution, after } of tested.tasks) {
      assert.equal(problem, null, `${title}: ${problem}\n${solution?.output}\n${after?.output}\n${after?.remark}`);
      assert.match(first.output, /^- .+$/m, `${title} names what is wrong`);
      assert.equal(after?.passed, true, title);
    }
    assert.equal(tested.tasks.length, checks.length);
    for (const { title, problem } of tasks.filter(({ kind }) => kind !== 'check').map(tryAnswers))
      assert.equal(problem, null, `${title}: ${problem}`);
    targets.set(
      assessment,
      checks.map((task, index) => ({ ...task, answers: tested.answers[index] ?? [] })),
    );
  }

  // Two at once: opponents occupy all of the processor.
  describe('no opponent forges a check', { concurrency: 2 }, () => {
    // One container for all checks of an image without a set-up: what they need is the same.
    for (const image of new Set(subjects.map(({ container_image }) => container_image))) {
      const alike = subjects.filter((assessment) => assessment.container_image === image && !isPrepared(assessment));
      itLong(`on ${image}`, { timeout: 600_000 }, () => attack(alike));
    }
    for (const assessment of subjects.filter(isPrepared)) {
      const test = assessment.slug === sample ? itLong : itInFull;
      test(`on a machine prepared for ${assessment.kind} ${assessment.slug}`, { timeout: 600_000 }, () =>
        attack([assessment]),
      );
    }
  });

  itLong('an opponent that traces spares what keeps the container running', { timeout: 600_000 }, async () => {
    const assessment = exams.find(({ slug }) => slug === 'linux-services');
    assert.ok(assessment);
    await inContainer(assessment, async (parts) => {
      await using root = await parts.shell.connect(parts.ref, 'grader');
      const before = await root.runScript(codeOfFirstSleep, { seconds: 20, outputBytes: 4096, isCheck: true });
      assert.match(before.output, /^[0-9a-f ]{10,}$/m);
      const verification_script = `${opponentHasLooked}\n${codeOfFirstSleep}`;
      const [runs] = await runAttacks({ ...parts, opponents: ['traces'] }, [
        { id: 1, verification_script, answers: [] },
      ]);
      assert.equal(runs?.[0]?.output, before.output);
    });
  });

  async function attack(attacked: readonly Assessment[]): Promise<void> {
    const [first] = attacked;
    assert.ok(first);
    const tasks = attacked.flatMap((assessment) => targets.get(assessment) ?? []);
    const checks = attacked.flatMap((assessment) => assessment.tasks).filter(({ kind }) => kind === 'check');
    assert.equal(tasks.length, checks.length);
    // As in a trial: only where the image grants root, an opponent is root.
    await inContainer(first, async (parts, grantsRoot) => {
      const some = opponents.filter((opponent) => grantsRoot || opponent !== 'traces');
      for (const [turn, opponent] of some.entries()) {
        const isMet = (index: number): boolean => index % some.length === turn || (index + 3) % some.length === turn;
        const met = tasks.filter((_, index) => isFull || isMet(index));
        const runs = await runAttacks({ ...parts, opponents: [opponent] }, met);
        assert.equal(runs.length, met.length);
        for (const [index, [run]] of runs.entries()) {
          assert.equal(run?.opponent, opponent);
          assert.equal(run.passed, false, `${met[index]?.title}: ${opponent}\n${run.output}`);
        }
      }
    });
  }
});

/** The instructions that `sleep infinity` of the entry point goes on with. */
const codeOfFirstSleep = `until pid=$(/usr/bin/pgrep -o -f -x 'sleep infinity'); do sleep 0.02; done
until read -ra call <"/proc/$pid/syscall" && ((\${#call[@]} > 1)); do sleep 0.02; done
dd if="/proc/$pid/mem" bs=1 skip=$((call[\${#call[@]} - 1])) count=9 2>/dev/null | /usr/bin/od -An -tx1`;

/**
 * A pass over all processes takes the opponent a hundredth of a second: after half a second of its own time it has
 * seen all. It is looked for anew each time, for the programs that it starts bear its name for a moment.
 */
const opponentHasLooked = `until pid=$(/usr/bin/pgrep -o -f '^/.grader/bin/bash /tmp/.opponent') &&
  read -ra stat <"/proc/$pid/stat" && ((stat[13] + stat[14] > 50)); do sleep 0.02; done`;

/** On a container as an attempt gets it. */
async function inContainer<Result>(
  assessment: Assessment,
  act: (parts: TrialParts, grantsRoot: boolean) => Promise<Result>,
): Promise<Result> {
  await using cleanup = new AsyncDisposableStack();
  const installation = `test-${randomUUID()}`;
  const engine = cleanup.use(new DockerEngine({ docker: new Docker(), installation, callTimeout: 30_000 }));
  const { containers, grading } = loadConfig({});
  const { memoryMb, cpus, processes, diskMb } = containers;
  const limits = { memoryMb, cpus, processes, diskMb, hasInternet: false };
  const name = `${installation}-${assessment.slug}`;
  const ref = await engine.create({ name, uid: randomUUID(), image: assessment.container_image, ...limits });
  cleanup.defer(() => engine.remove(ref));
  const shell = new SshShell({ engine });
  const shells = cleanup.use(new ShellPool(shell));
  const log = pino({ level: 'silent' });
  const setup = new ContainerSetup({ shells, seconds: containers.setupSeconds, log });
  await setup.apply(ref, name, { files: filesOf(assessment), scripts: scriptsOf(assessment) });
  const grader = new Grader({ shells, ...grading });
  // The machines of several tests share the processor: an archive takes ten times as long as in a trial.
  const parts = { ref, shell, grader, account: assessment.user, solutionSeconds: 180 };
  return await act(parts, await engine.grantsRoot(assessment.container_image));
}
