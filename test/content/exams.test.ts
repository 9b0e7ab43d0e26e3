import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import Docker from 'dockerode';
import { DockerEngine } from '../../src/adapters/docker/docker-engine.ts';
import { SshShell } from '../../src/adapters/ssh/ssh-shell.ts';
import { loadConfig } from '../../src/config.ts';
import { ShellPool } from '../../src/features/containers/shell-pool.ts';
import { readContent } from '../../src/features/content/layout.ts';
import type { ExamContent, LaboratoryContent } from '../../src/features/content/schema.ts';
import { Grader } from '../../src/features/grading/grader.ts';
import type { ContainerShell } from '../../src/ports/container-shell.ts';

type Subject = ExamContent | LaboratoryContent;
type Verdicts = { slug: string; passed: boolean; output: string }[];

const solutionSeconds = 30;
const { exams, laboratories } = await readContent(join(import.meta.dirname, '../../content'));

const lengths = new Map(exams.map(({ slug, tasks }) => [slug, tasks.length]));
assert.equal(lengths.get('linux-basics'), 8);
assert.equal(lengths.get('linux-services'), 6);
assert.equal(laboratories.length, 4);
assert.ok(laboratories.every(({ tasks }) => tasks.length >= 3 && tasks.every(({ hint }) => hint !== '')));

for (const exam of [...exams, ...laboratories]) {
  suite(`the ${exam.kind} ${exam.slug}`, {
    skip: process.env['TEST_WITHOUT_ENGINE'] ?? false,
    timeout: 120_000,
  }, () => {
    const cleanup = new AsyncDisposableStack();
    let container: ExamContainer;
    before(async () => {
      container = cleanup.use(await ExamContainer.start(exam));
    });
    after(() => cleanup.disposeAsync());

    test('on a fresh container no task passes, and each check says why', async () => {
      const verdicts = await container.grade();
      assert.deepEqual(passedOf(verdicts), []);
      for (const { slug, output } of verdicts) {
        assert.match(output, /^- .+$/m, `${slug} names what is wrong`);
        assert.match(output, /\nFAIL$/, `${slug} comes to a verdict of its own`);
      }
    });

    for (const [index, { slug, solution_script }] of exam.tasks.entries()) {
      test(`${slug}: its solution, run by the student, makes it pass and none of those after it`, async () => {
        assert.ok(solution_script, 'the task has a solution');
        const { code, screen } = await container.typeAsStudent(solution_script);
        assert.equal(code, 0, `the solution failed:\n${screen}`);
        const verdicts = await container.grade(index);
        assert.ok(verdicts[0]?.passed, `the check says:\n${verdicts[0]?.output}`);
        assert.deepEqual(passedOf(verdicts), [slug]);
      });
    }

    test('in the end all tasks pass, also those that were solved first', async () => {
      const verdicts = await container.grade();
      const failed = verdicts.filter(({ passed }) => !passed);
      assert.deepEqual(failed, []);
      assert.equal(verdicts.length, exam.tasks.length);
    });
  });
}

const passedOf = (verdicts: Verdicts): string[] => verdicts.filter(({ passed }) => passed).map(({ slug }) => slug);

/** A container as an attempt at the exam gets it. */
class ExamContainer implements AsyncDisposable {
  readonly #exam: Subject;
  readonly #ref: string;
  readonly #shell: ContainerShell;
  readonly #grader: Grader;
  readonly #cleanup: AsyncDisposableStack;

  private constructor(exam: Subject, ref: string, shell: ContainerShell, cleanup: AsyncDisposableStack) {
    this.#exam = exam;
    this.#ref = ref;
    this.#shell = shell;
    this.#cleanup = cleanup;
    const { scriptSeconds, outputBytes } = loadConfig({}).grading;
    this.#grader = new Grader({ shells: cleanup.use(new ShellPool(shell)), scriptSeconds, outputBytes });
  }

  static async start(exam: Subject): Promise<ExamContainer> {
    await using cleanup = new AsyncDisposableStack();
    const installation = `test-${randomUUID()}`;
    const engine = cleanup.use(new DockerEngine({ docker: new Docker(), installation, callTimeout: 30_000 }));
    const { memoryMb, cpus, processes, diskMb } = loadConfig({}).containers;
    const limits = { memoryMb, cpus, processes, diskMb, hasInternet: false };
    const name = `${installation}-${exam.slug}`;
    const ref = await engine.create({ name, uid: randomUUID(), image: exam.container_image, ...limits });
    cleanup.defer(() => engine.remove(ref));
    return new ExamContainer(exam, ref, new SshShell({ engine }), cleanup.move());
  }

  /** @param from the number of the first task, from 0 */
  async grade(from = 0): Promise<Verdicts> {
    const verdicts: Verdicts = [];
    const tasks = this.#exam.tasks.map((task, index) => ({ ...task, id: index })).slice(from);
    await this.#grader.grade(this.#ref, tasks, async ({ slug }, verdict) => void verdicts.push({ slug, ...verdict }));
    return verdicts;
  }

  /** Runs a script in a terminal of its own, which is closed afterwards: what the student started has to outlive it. */
  async typeAsStudent(script: string): Promise<{ code: number | null; screen: string }> {
    await using connection = await this.#shell.connect(this.#ref, 'student');
    const terminal = await connection.openTerminal({ cols: 120, rows: 40 });
    let screen = '';
    const prompt = Promise.withResolvers<void>();
    terminal.setEncoding('utf8').on('data', (text: string) => {
      screen += text;
      if (screen.includes('$ ')) prompt.resolve();
    });
    const timer = setTimeout(() => void connection[Symbol.asyncDispose](), solutionSeconds * 1000);
    try {
      await Promise.race([prompt.promise, terminal.exit]);
      const encoded = Buffer.from(script).toString('base64').replace(/.{76}/g, '$&\n');
      terminal.write(`base64 -d > /tmp/solution <<'END'\n${encoded}\nEND\nbash /tmp/solution; exit $?\n`);
      return { code: await terminal.exit, screen };
    } finally {
      clearTimeout(timer);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cleanup.disposeAsync();
  }
}
