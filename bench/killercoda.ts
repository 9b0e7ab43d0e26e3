/**
 * `node launch.mjs --tools bench/killercoda.ts [--try [--verbose]] [--images FILE] FOLDER...`: converts folders of Killercoda scenarios, and counts what
 * is carried, changed and lost. With `--try` it counts the checks that go from FAIL to PASS by the solutions, on the engine of this machine;
 * `--verbose` shows the outputs of those that do not.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import Docker from 'dockerode';
import { pino } from 'pino';
import { SshShell } from '../packages/ssh/ssh-shell.ts';
import { DockerEngine } from '../src/adapters/docker/docker-engine.ts';
import { loadConfig } from '../src/config.ts';
import { ContainerSetup, SetupFailedError } from '../src/features/capacity/container-setup.ts';
import { ShellPool } from '../src/features/capacity/shell-pool.ts';
import { readContent } from '../src/features/content/layout.ts';
import type { LaboratoryContent } from '../src/features/content/schema.ts';
import { Grader } from '../src/features/grading/grader.ts';
import { runTrial } from '../src/features/trials/trial.ts';
import { convertKillercoda, writeContent } from '../tools/conversion/killercoda/convert.ts';
import { type ImageTable, readImages } from '../tools/conversion/killercoda/images.ts';

const { values, positionals } = parseArgs({
  options: {
    try: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    images: { type: 'string' },
  },
  allowPositionals: true,
});
const table = values.images === undefined ? undefined : await readImages(values.images);

/** How the tasks with a solution fared: the code of their problem or `ok`, and the number of tasks. */
type Tried = Map<string, number>;

/** Remarks of the report about scripts that cannot succeed in a laboratory. */
const needsMore = /no internet|do not have or do not allow/;

const { containers, grading, trials } = loadConfig({});
const width = 2;

async function tryAll(laboratories: readonly LaboratoryContent[], limited: ReadonlySet<string>): Promise<Tried> {
  const tried: Tried = new Map();
  await using held = new AsyncDisposableStack();
  const installation = `bench-${randomUUID()}`;
  const engine = held.use(new DockerEngine({ docker: new Docker(), installation, callTimeout: 60_000 }));
  const waiting = laboratories.filter(({ tasks }) => tasks.some(({ solution_script }) => solution_script !== null));
  const work = Array.from({ length: width }, async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      for (const [title, code] of await tryOne(engine, installation, next)) {
        const key = limited.has(next.slug) ? `${code}, needs more than a laboratory has` : code;
        tried.set(key, (tried.get(key) ?? 0) + 1);
        process.stderr.write(`${code.padEnd(24)} ${next.slug}: ${title}\n`);
      }
    }
  });
  await Promise.all(work);
  return tried;
}

async function tryOne(engine: DockerEngine, installation: string, laboratory: LaboratoryContent) {
  await using held = new AsyncDisposableStack();
  const { memoryMb, cpus, processes, diskMb } = containers;
  const uid = randomUUID();
  const spec = { name: `${installation}-${uid}`, uid, image: laboratory.container_image };
  const ref = await engine.create({ ...spec, memoryMb, cpus, processes, diskMb, hasInternet: false });
  held.defer(() => engine.remove(ref));
  const shell = new SshShell({ engine });
  const shells = held.use(new ShellPool(shell));
  const setup = new ContainerSetup({ shells, seconds: containers.setupSeconds, log: pino({ level: 'silent' }) });
  const scripts = [laboratory.setup_script, ...laboratory.tasks.map(({ setup_script }) => setup_script)];
  const all = laboratory.tasks.map((task, index) => ({ ...task, id: index }));
  const files = [...laboratory.files, ...laboratory.tasks.flatMap((task) => task.files)];
  try {
    await setup.apply(ref, spec.name, { files, scripts: scripts.filter((script) => script !== null) });
  } catch (error) {
    if (!(error instanceof SetupFailedError)) throw error;
    return all.map(({ title }): [string, string] => [title, 'set-up failed']);
  }
  const grader = new Grader({ shells, ...grading });
  const parts = {
    ref,
    shell,
    grader,
    solutionSeconds: trials.solutionSeconds,
    isSequential: true,
    all,
    account: laboratory.user,
  };
  const { tasks } = await runTrial(
    parts,
    all.filter(({ solution_script }) => solution_script !== null),
  );
  for (const { title, problem, solution, after } of values.verbose ? tasks : []) {
    if (problem === null) continue;
    process.stderr.write(
      `--- ${laboratory.slug}: ${title}: ${problem}\n${solution?.output}--- check\n${after?.output}\n`,
    );
  }
  return tasks.map(({ title, problem_code }): [string, string] => [title, problem_code ?? 'ok']);
}

async function count(folder: string, images: ImageTable | undefined): Promise<Tried> {
  const room = await mkdtemp(join(tmpdir(), 'killercoda-'));
  try {
    const { files, report } = await convertKillercoda(folder, { points: 1, images });
    await writeContent(join(room, 'content'), files);
    const { laboratories } = await readContent(join(room, 'content'));
    const carried = report.scenarios.flatMap((scenario) => scenario.carried ?? []);
    const sum = (pick: (one: (typeof carried)[number]) => number) => carried.reduce((all, one) => all + pick(one), 0);
    const remarks = (kind: 'changed' | 'lost') => report.scenarios.reduce((all, one) => all + one[kind].length, 0);
    const cells = [
      ...[basename(folder), report.scenarios.length, carried.length, laboratories.length],
      ...[sum((one) => one.tasks), sum((one) => one.solutions), sum((one) => one.proposed)],
      ...[sum((one) => one.setUps), sum((one) => one.files), remarks('changed'), remarks('lost')],
    ];
    process.stdout.write(`| ${cells.join(' | ')} |\n`);
    const limited = report.scenarios.filter(({ lost }) => lost.some(({ message }) => needsMore.test(message)));
    const slugs = limited.flatMap(({ carried: one }) => one?.laboratory?.slug ?? []);
    return values.try ? await tryAll(laboratories, new Set(slugs)) : new Map();
  } finally {
    await rm(room, { recursive: true });
  }
}

process.stdout.write(
  '| source | scenarios | converted | laboratories | tasks | solutions | proposed | set-ups | files | changed | lost |\n' +
    `|${'---|'.repeat(11)}\n`,
);
const total: Tried = new Map();
for (const folder of positionals) {
  for (const [code, number] of await count(folder, table)) total.set(code, (total.get(code) ?? 0) + number);
}
if (values.try) {
  const sumOf = (is: (code: string) => boolean) =>
    [...total].reduce((sum, [code, number]) => sum + (is(code) ? number : 0), 0);
  const possible = sumOf((code) => !code.includes(', '));
  process.stdout.write(
    `\n${sumOf((code) => code.startsWith('ok'))} of ${sumOf(() => true)} checks go from FAIL to PASS, ` +
      `${total.get('ok') ?? 0} of ${possible} where the report names nothing that is missing\n`,
  );
  for (const [code, number] of [...total].toSorted(([, a], [, b]) => b - a))
    process.stdout.write(`${number} ${code}\n`);
}
// A worker or a connection must not keep the process alive.
process.exit();
