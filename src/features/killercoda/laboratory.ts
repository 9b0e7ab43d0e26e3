import { stringify } from 'yaml';
import type { StudentAccount } from '../../database/tables.ts';
import { assetsOf, listedAssets } from './assets.ts';
import { userOf } from './images.ts';
import type { Scenario } from './scenario.ts';
import { type SetUp, setUpScript } from './set-up-script.ts';
import { slugOf } from './slugs.ts';
import type { KillercodaSource, ScenarioEntry } from './source.ts';

export type Files = Map<string, string | Buffer>;

export type LaboratoryParts = {
  source: KillercodaSource;
  entry: ScenarioEntry;
  scenario: Scenario;
  image: string;
  /** Points of each task. */
  points: number;
  slug: string;
  title: string;
  /** `COURSE/SECTION` */
  section: string;
};

/**
 * Adds the files of a scenario's laboratory.
 * @returns the number of files that its machine gets
 */
export async function addLaboratory(files: Files, parts: LaboratoryParts): Promise<number> {
  const { entry, scenario, image, points, slug, title, section } = parts;
  const { tasks, setUps, introduction, conclusion } = scenario;
  const user = userOf(image);
  const folder = `laboratories/${slug}`;
  const taskSlugs = new Set<string>();
  const { difficulty, description = '' } = entry.file.value;
  const items = tasks.map((task, index) => {
    const taskSlug = slugOf(task.title, taskSlugs, 'task');
    const below = `tasks/${String(index + 1).padStart(2, '0')}-${taskSlug}`;
    files.set(`${folder}/${below}/verify.sh`, task.verify);
    if (task.solution !== undefined) files.set(`${folder}/${below}/solution.sh`, task.solution);
    return {
      ...{ slug: taskSlug, title: task.title, points, description: task.description, hint: task.hint },
      verify: `${below}/verify.sh`,
      ...(task.solution === undefined ? {} : { solution: `${below}/solution.sh` }),
      ...addSetUp(files, entry, { folder, path: `${below}/setup.sh`, setUps: task.setUps, user }),
    };
  });
  const assets = await assetsOf(parts.source, entry, user);
  for (const { path, content } of assets) files.set(`${folder}/files${path}`, content);
  const listed = listedAssets(assets);
  if (listed.length > 0) files.set(`${folder}/files.yaml`, yamlOf({ kind: 'files', files: listed }));
  const laboratory = {
    ...{ kind: 'laboratory', slug, title },
    description: [entry.description ?? description, difficulty ? `Difficulty: ${difficulty}` : '']
      .filter(Boolean)
      .join('\n\n'),
    ...(introduction === '' ? {} : { introduction }),
    ...(conclusion === '' ? {} : { conclusion }),
    ...{ section, container_image: image, ...(user === 'root' ? { user } : {}) },
    // Its author reviews and tries it first.
    is_active: false,
    ...addSetUp(files, entry, { folder, path: 'setup.sh', setUps, user }),
    ...(assets.length === 0 ? {} : { files: 'files' }),
    // Killercoda requires all steps.
    passing_score: items.length * points,
    ...(items.length > 1 ? { is_sequential: true } : {}),
    tasks: items,
  };
  files.set(`${folder}/laboratory.yaml`, yamlOf(laboratory));
  return assets.length;
}

function addSetUp(
  files: Files,
  { file }: ScenarioEntry,
  { folder, path, setUps, user }: { folder: string; path: string; setUps: readonly SetUp[]; user: StudentAccount },
): { setup?: string } {
  for (const { place, path: original } of setUps)
    file.change(place, `${original} runs as a set-up: before the student comes, and without internet`);
  if (setUps.length === 0) return {};
  files.set(`${folder}/${path}`, setUpScript(setUps, user));
  return { setup: path };
}

export const yamlOf = (content: object): string =>
  stringify({ format: 1, ...content }, { lineWidth: 0, blockQuote: 'literal' });
