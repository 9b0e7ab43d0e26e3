/**
 * `npm test`: hands the test files to Node's runner. Many share a process, which loads the service once. `npm test -- FOLDER` runs the files of a
 * folder; files that are named themselves run in a process each, also one that has long tests only.
 * `npm run test:long`: the tests of test/rounds.ts; `--profile` reports what each file and test has cost.
 */
import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fastFolder } from './fast-folder.ts';
import { groupFiles } from './groups.ts';
import { hasLongTests, hasOnlyLongTests } from './long-files.ts';

const root = join(import.meta.dirname, '../..');
const testFiles = [
  'src/**/*.test.ts',
  'packages/**/*.test.ts',
  'tools/**/*.test.ts',
  'test/**/*.test.ts',
  'images/**/*.test.ts',
  'bench/**/*.test.ts',
];
const own = ['--long', '--profile'];

process.chdir(root);
const args = process.argv.slice(2);
const named = args.filter((arg) => !arg.startsWith('-'));
const folders = named.filter((name) => statSync(name, { throwIfNoEntry: false })?.isDirectory());
const namedFiles = named.filter((name) => !folders.includes(name));
const onlyLong = namedFiles.filter((name) => existsSync(name) && hasOnlyLongTests(readFileSync(name, 'utf8')));
const isLong = args.includes('--long') || (onlyLong.length > 0 && onlyLong.length === named.length);
if (!isLong && onlyLong.length > 0) console.error(`npm run test:long has the tests of ${onlyLong.join(', ')}`);
const options = args.filter((arg) => arg.startsWith('-') && !own.includes(arg));
const folder = fastFolder(process.env);
if (folder !== undefined) process.env['TMPDIR'] = folder;
const room = mkdtempSync(join(tmpdir(), 'learning-platform-test-run-'));
const env: NodeJS.ProcessEnv = { ...process.env };
// With TEST_CALLS each test records its file, which requires a process for each file.
const isTogether = named.length === folders.length && env['TEST_CALLS'] === undefined;
if (isLong) env['RELIABILITY_ROUNDS'] ??= 'long';

const below = named.length === 0 ? testFiles : folders.map((folder) => join(folder, '**/*.test.ts'));
const found = globSync(below).sort();
const hasTests = isLong ? hasLongTests : (text: string) => !hasOnlyLongTests(text);
const files = [...found.filter((file) => hasTests(readFileSync(file, 'utf8'))), ...namedFiles];
// Without a file Node's runner looks for tests itself, in the whole project.
if (files.length === 0) {
  rmSync(room, { recursive: true });
  console.error(`There are no ${isLong ? 'long ' : ''}tests in ${named.join(', ')}`);
  process.exit(1);
}
const reporters = ['--test-reporter=spec', '--test-reporter-destination=stdout'];
if (args.includes('--profile')) {
  env['TEST_PROFILE'] = join(room, 'costs');
  reporters.push('--import=./test/runner/cost-probe.ts');
  reporters.push('--test-reporter=./test/runner/cost-reporter.ts', '--test-reporter-destination=stderr');
}

const child = spawn(
  process.execPath,
  [
    '--test',
    '--test-global-setup=test/setup.ts',
    '--import=./test/leftovers.ts',
    // Two more than there are cores, as tests of containers and pages wait half of the time.
    `--test-concurrency=${Math.max(2, availableParallelism()) + 2}`,
    // Without the tests of `npm test` (see test/rounds.ts).
    ...(isLong ? ['--test-only'] : []),
    ...reporters,
    ...options,
    ...(isTogether ? writeGroups() : files),
  ],
  { stdio: 'inherit', env },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => {
  // Processes of a run that was ended may write there for a moment still.
  rmSync(room, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  process.exitCode = code ?? 1;
  if (signal) process.kill(process.pid, signal);
});

/** A file for each group, which imports its test files. Node runs them in the order of their names. */
function writeGroups(): string[] {
  return groupFiles(files).map(({ name, files: members }, index) => {
    const path = join(room, `${`${index + 1}`.padStart(2, '0')}-${name}.mjs`);
    const imports = members.map((file) => `import ${JSON.stringify(pathToFileURL(join(root, file)).href)};\n`);
    writeFileSync(path, imports.join(''));
    return path;
  });
}
