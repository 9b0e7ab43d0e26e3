import { readFileSync } from 'node:fs';

/** Test files that one process runs, one after the other. */
export type Group = { name: string; files: readonly string[] };

/**
 * How many processes share the test files of a folder. They begin in this order. The longest are first: what begins last should be short, so
 * that no core waits for it at the end. Loading the service costs a process two seconds of a core, about as much as ten tests of the API.
 */
const processesOf: readonly [folder: string, processes: number][] = [
  ['test/web/', 3],
  ['test/adapters/', 2],
  ['test/api/', 4],
  ['', 1],
  ['src/', 2],
  ['test/reliability/', 2],
  ['test/attacks/', 2],
];

/** Files for which a further process is worth its start. */
const filesEach = 8;

/** Folders whose files belong to the process of another folder, because they are few. */
const guests = {
  'test/content/': 'test/adapters/',
  'src/commands/': 'test/reliability/',
  'images/': 'test/adapters/',
  'packages/': 'src/',
  'tools/': 'test/adapters/',
};

/** A hook outside of a suite is one of all files in its process. */
const hookOfProcess = /^(before|after|beforeEach|afterEach)\(/m;

/** @param files paths relative to the project's folder */
export function groupFiles(files: readonly string[], read = readText): Group[] {
  const groups: Group[] = [];
  const shared = files.filter((file) => !hookOfProcess.test(read(file)));
  const folderOf = (file: string) => {
    const host = Object.entries(guests).find(([folder]) => file.startsWith(folder))?.[1];
    if (host !== undefined) return host;
    const folders = processesOf.map(([folder]) => folder).filter((folder) => file.startsWith(folder));
    return folders.reduce((longest, folder) => (folder.length > longest.length ? folder : longest), '');
  };
  for (const [folder, processes] of processesOf) {
    const own = shared.filter((file) => folderOf(file) === folder).sort();
    const name = folder.slice(0, -1).replaceAll('/', '-') || 'others';
    const count = Math.min(processes, Math.ceil(own.length / filesEach));
    for (let turn = 0; turn < count; turn += 1)
      groups.push({ name: `${name}-${turn + 1}`, files: own.filter((_, position) => position % count === turn) });
  }
  const alone = files.filter((file) => !shared.includes(file));
  return [...groups, ...alone.map((file) => ({ name: 'alone', files: [file] }))];
}

const readText = (file: string): string => readFileSync(file, 'utf8');
