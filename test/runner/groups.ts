import { readFileSync } from 'node:fs';

/** Test files that one process runs, one after the other. */
export type Group = { name: string; files: readonly string[] };

/**
 * How many processes share the test files of a folder, the slowest folders first. A process of each folder begins before the second one of any does:
 * some wait most of the time, some compute.
 * Loading the service costs a process two seconds of a core, about as much as ten tests of the API.
 */
const processesOf: readonly [folder: string, processes: number][] = [
  ['test/reliability/', 2],
  ['test/web/', 2],
  ['src/commands/', 1],
  ['test/api/', 2],
  ['test/attacks/', 1],
  ['test/adapters/', 1],
  ['test/content/', 1],
  ['images/', 1],
  ['src/', 1],
  ['', 1],
];

/** A hook outside of a suite is one of all files in its process. */
const hookOfProcess = /^(before|after|beforeEach|afterEach)\(/m;

/** @param files paths relative to the project's folder */
export function groupFiles(files: readonly string[], read = readText): Group[] {
  const groups: (Group & { turn: number })[] = [];
  const shared = files.filter((file) => !hookOfProcess.test(read(file)));
  const folderOf = (file: string) => processesOf.findIndex(([folder]) => file.startsWith(folder));
  for (const [index, [folder, processes]] of processesOf.entries()) {
    const own = shared.filter((file) => folderOf(file) === index).sort();
    const name = folder.slice(0, -1).replaceAll('/', '-') || 'others';
    for (let turn = 0; turn < Math.min(processes, own.length); turn += 1)
      groups.push({
        turn,
        name: `${name}-${turn + 1}`,
        files: own.filter((_, position) => position % processes === turn),
      });
  }
  const alone = files.filter((file) => !shared.includes(file));
  const ordered = groups.sort((a, b) => a.turn - b.turn).map(({ name, files: members }) => ({ name, files: members }));
  return [...ordered, ...alone.map((file) => ({ name: 'alone', files: [file] }))];
}

const readText = (file: string): string => readFileSync(file, 'utf8');
