import type { StudentAccount } from '../../../src/database/tables.ts';
import type { Problem } from '../../../src/features/content/problems.ts';
import type { Scenario } from './scenario.ts';
import type { Remark } from './scenario-file.ts';
import type { KillercodaSource } from './source.ts';

/** What was carried over of a scenario. */
export type Carried = {
  laboratory: { slug: string; image: string; user: StudentAccount } | undefined;
  lessons: number;
  pictures: number;
  tasks: number;
  /** Solutions of the scenario itself. */
  solutions: number;
  /** Solutions that were made of the commands of the texts. */
  proposed: number;
  setUps: number;
  files: number;
};

export type ScenarioReport = {
  /** Empty for the source itself. */
  folder: string;
  /** Undefined if it was left out. */
  carried: Carried | undefined;
  changed: Remark[];
  lost: Remark[];
  /** The errors because of which it was left out. */
  problems: Problem[];
};

export type ConversionReport = {
  name: string;
  scenarios: ScenarioReport[];
  /** Errors that are about no scenario, such as a folder that does not exist. */
  problems: Problem[];
};

/** @param laboratory what it got, and the files of its machine */
export function carriedOf(
  { lessons, tasks, setUps }: Scenario,
  {
    pictures,
    laboratory,
  }: { pictures: number; laboratory?: { slug: string; image: string; user: StudentAccount; files: number } },
): Carried {
  const ofTasks = laboratory ? tasks : [];
  return {
    ...{ laboratory, pictures, lessons: lessons.length, tasks: ofTasks.length, files: laboratory?.files ?? 0 },
    solutions: ofTasks.filter(({ solution, isProposed }) => solution !== undefined && !isProposed).length,
    proposed: ofTasks.filter(({ isProposed }) => isProposed).length,
    setUps: laboratory ? setUps.length + tasks.flatMap((task) => task.setUps).length : 0,
  };
}

/** @param carried by the folders of the scenarios that were converted */
export function reportOf(source: KillercodaSource, carried: ReadonlyMap<string, Carried>): ConversionReport {
  const folders = source.folders.toSorted((a, b) => b.length - a.length);
  const ownerOf = ({ file }: Problem) => folders.find((folder) => folder === '' || file.startsWith(`${folder}/`));
  const remarks = Map.groupBy(source.remarks, ownerOf);
  const problems = Map.groupBy(source.problems, ownerOf);
  const scenarios = source.folders.map((folder): ScenarioReport => {
    const own = (remarks.get(folder) ?? []).toSorted((a, b) => compare(a.file, b.file) || a.line - b.line);
    return {
      ...{ folder, carried: carried.get(folder), problems: problems.get(folder) ?? [] },
      ...{ changed: own.filter(({ kind }) => kind === 'changed'), lost: own.filter(({ kind }) => kind === 'lost') },
    };
  });
  return { name: source.name, scenarios, problems: problems.get(undefined) ?? [] };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** `2 tasks`, or nothing for none. */
const counted = (count: number, one: string, many = `${one}s`): string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];

export function carriedWords({ lessons, pictures, tasks, solutions, proposed, setUps, files }: Carried): string {
  return [
    ...counted(lessons, 'lesson'),
    ...counted(pictures, 'picture'),
    ...counted(tasks, 'task'),
    ...counted(solutions, 'solution'),
    ...counted(proposed, 'proposed solution'),
    ...counted(setUps, 'set-up'),
    ...counted(files, 'file'),
  ].join(', ');
}

/** The whole report in Markdown. */
export function reportText({ name, scenarios, problems }: ConversionReport): string {
  const left = scenarios.filter(({ carried }) => carried === undefined).length;
  const parts = [
    `# What became of ${name}`,
    `${scenarios.length} scenarios, ${scenarios.length - left} converted, ${left} left out. Courses and laboratories are drafts: review ` +
      'them, try the laboratories, then publish them.',
    ...(problems.length > 0 ? [`## Errors\n\n${problems.map(itemOf).join('\n')}`] : []),
    ...scenarios.map(scenarioText),
  ];
  return `${parts.join('\n\n')}\n`;
}

function scenarioText({ folder, carried, changed, lost, problems }: ScenarioReport): string {
  const { image: name, user } = carried?.laboratory ?? {};
  const image = name === undefined ? '' : ` The image is \`${name}\`, and students work as \`${user}\`.`;
  const parts = [
    `## ${folder === '' ? 'The folder itself' : folder}`,
    carried ? `Carried: ${carriedWords(carried)}.${image}` : 'Left out.',
    ...listed('Errors', problems),
    ...listed('Changed', changed),
    ...listed('Lost', lost),
  ];
  return parts.join('\n\n');
}

const listed = (name: string, items: readonly Problem[]): string[] =>
  items.length === 0 ? [] : [`${name}:\n\n${items.map(itemOf).join('\n')}`];

const itemOf = ({ file, line, message }: Problem): string => `- \`${file}:${line}\`: ${message}`;
