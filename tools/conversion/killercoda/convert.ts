import { chmod, lstat, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { stringify } from 'yaml';
import type { StudentAccount } from '../../../src/database/tables.ts';
import { UnusablePathError } from '../../../src/features/content/content-folder.ts';
import { readContent } from '../../../src/features/content/layout.ts';
import { ContentError } from '../../../src/features/content/problems.ts';
import { isLfsPointer, linkedTypeOf } from '../../../src/values/media-types.ts';
import { lineOf, referencesOf } from '../markdown/links.ts';
import { slugOf } from '../slugs.ts';
import { assetsOf, listedAssets } from './assets.ts';
import { type ImageTable, imageFor, userOf } from './images.ts';
import { MarkdownReader } from './markdown-reader.ts';
import { type Carried, type ConversionReport, carriedOf, reportOf } from './report.ts';
import { type Lesson, type Scenario, ScenarioReader } from './scenario.ts';
import type { ScenarioFileContent } from './scenario-file.ts';
import { type SetUp, setUpKeys, setUpScript } from './scripts.ts';
import { type CourseEntry, KillercodaSource, type ScenarioEntry } from './source.ts';

const maxPictureBytes = 8 * 1024 * 1024;

type ConvertOptions = {
  /** The images of the laboratories by the names of Killercoda's. */
  images?: ImageTable | undefined;
  /** The image of laboratories whose name is not in the table. Without it, those for other machines than Ubuntu become lessons only. */
  image?: string | undefined;
  /** Points of each task. */
  points: number;
};

/** The files of our layout by their paths, and what became of each scenario. */
export type Converted = { files: Map<string, string | Buffer>; report: ConversionReport };

type Named = { slug: string; name: string };

/**
 * Converts a Killercoda scenario, or a folder of many, into files of our content layout. A scenario with an error is left out.
 * @throws ContentError when nothing can be converted; Error when the directory does not exist
 */
export async function convertKillercoda(directory: string, options: ConvertOptions): Promise<Converted> {
  const source = await KillercodaSource.open(directory);
  await using markdown = new MarkdownReader();
  const conversion = new Conversion(source, markdown, options);
  const courses = await source.courses();
  for (const course of courses) await conversion.addCourse(course);
  if (source.problems.length === 0 && conversion.files.size === 0) {
    source.problems.push({
      file: 'index.json',
      line: 1,
      message: 'does not exist, and no scenario with texts was found below',
    });
  }
  if (conversion.files.size === 0) throw new ContentError(directory, source.problems);
  return { files: conversion.files, report: reportOf(source, conversion.carried) };
}

class Conversion {
  readonly files = new Map<string, string | Buffer>();
  /** What was carried over of each folder. */
  readonly carried = new Map<string, Carried>();
  readonly #source: KillercodaSource;
  readonly #markdown: MarkdownReader;
  readonly #options: ConvertOptions;
  readonly #root: string;
  readonly #courseSlugs = new Set<string>();
  readonly #laboratorySlugs = new Set<string>();
  /** The contents of each folder, which several courses may share, and the course that owns its laboratory. */
  readonly #scenarios = new Map<string, { scenario: Scenario; course: string }>();

  constructor(source: KillercodaSource, markdown: MarkdownReader, options: ConvertOptions) {
    this.#source = source;
    this.#markdown = markdown;
    this.#options = options;
    this.#root = slugOf(source.name, new Set());
  }

  async addCourse(entry: CourseEntry): Promise<void> {
    const folderName = entry.folder === '' ? this.#source.name : (entry.folder.split('/').at(-1) ?? '');
    const [only] = entry.scenarios;
    const isOneScenario = only?.folder === '';
    const course: Named = {
      slug: slugOf(folderName, this.#courseSlugs),
      name: entry.title ?? (isOneScenario ? only.file.value.title : folderName),
    };
    const sections = [];
    const sectionSlugs = new Set<string>();
    for (const scenarioEntry of entry.scenarios) {
      const { file, folder } = scenarioEntry;
      const section: Named = {
        slug: slugOf(folder.split('/').at(-1) || this.#source.name, sectionSlugs),
        name: scenarioEntry.title ?? file.value.title,
      };
      const lessons = await this.#addScenario(scenarioEntry, course, section);
      if (lessons.length === 0) {
        continue;
      }
      const durations = shared(minutesOf(scenarioEntry), lessons.length);
      const themes = lessons.map(({ slug, title, path }, index) => ({
        slug,
        title,
        file: this.#lessonPath(path),
        duration_minutes: durations[index] ?? 0,
      }));
      sections.push({ ...section, themes });
    }
    if (sections.length === 0) return;
    const description = entry.description ?? (isOneScenario ? (only.file.value.description ?? '') : '');
    // Its author reviews it first.
    const draft = { kind: 'course', ...course, description, is_active: false, sections };
    this.files.set(`courses/${course.slug}.yaml`, yamlOf(draft));
  }

  async #addScenario(entry: ScenarioEntry, course: Named, section: Named): Promise<Lesson[]> {
    const known = this.#scenarios.get(entry.folder);
    if (known) {
      if (known.scenario.tasks.length > 0)
        entry.file.lose(
          [],
          `its laboratory belongs to the course ${known.course}, so the course ${course.slug} gets only its lessons`,
        );
      return known.scenario.lessons;
    }
    const { file, folder } = entry;
    const image = imageOf(entry, this.#options);
    const problems = this.#source.problems.length;
    const reader = new ScenarioReader(this.#source, entry, { markdown: this.#markdown, image });
    const scenario = await reader.read();
    this.#scenarios.set(folder, { scenario, course: course.slug });
    // A part that is missing would not be noticed in the result.
    if (this.#source.problems.length > problems) scenario.lessons = [];
    else if (scenario.lessons.length === 0) file.lose([], 'has no texts: it is left out');
    if (scenario.lessons.length === 0) return [];
    const before = this.files.size;
    for (const lesson of scenario.lessons) await this.#addLesson(lesson);
    const pictures = this.files.size - before - new Set(scenario.lessons.map(({ path }) => path)).size;
    if (image === undefined) {
      if (file.value.details?.assets) file.lose(['details', 'assets'], 'are not converted: there is no laboratory');
      this.carried.set(folder, carriedOf(scenario, { pictures }));
      return scenario.lessons;
    }
    if (scenario.tasks.length === 0)
      file.lose([], 'has no checks: its laboratory has no tasks yet, and students read its lessons only');
    const slug = slugOf(section.slug, this.#laboratorySlugs);
    const assets = await addLaboratory(this.files, {
      ...{ source: this.#source, entry, scenario, image, points: this.#options.points, slug },
      ...{ title: section.name, section: `${course.slug}/${section.slug}` },
    });
    this.carried.set(
      folder,
      carriedOf(scenario, { pictures, laboratory: { slug, image, user: userOf(image), files: assets } }),
    );
    return scenario.lessons;
  }

  async #addLesson({ path, markdown }: Lesson): Promise<void> {
    this.files.set(join('lessons', this.#lessonPath(path)), markdown);
    for (const { path: reference, isInside } of referencesOf(markdown, path)) {
      const target = join('lessons', this.#lessonPath(reference));
      const line = lineOf(markdown, reference);
      const lose = (message: string) =>
        this.#source.remarks.push({ file: path, line, kind: 'lost', message: `${reference} ${message}` });
      if (!isInside) {
        lose('is not a path within the source: not converted');
        continue;
      }
      if (this.files.has(target)) continue;
      if (linkedTypeOf(reference) === undefined) lose('is not a lesson of the scenario: not converted');
      else {
        try {
          const content = await this.#source.folder.readBytes(reference, maxPictureBytes);
          if (isLfsPointer(content)) lose('is only a pointer of Git LFS: run git lfs pull and convert again');
          else this.files.set(target, content);
        } catch (error) {
          if (!(error instanceof UnusablePathError)) throw error;
          lose(`${error.message}: not converted`);
        }
      }
    }
  }

  /** Lessons keep their paths from the source, so that their references still resolve. */
  #lessonPath(path: string): string {
    return `${this.#root}/${path}`;
  }
}

/** The duration of a scenario. 0, with a warning, where it is not given in minutes. */
function minutesOf({ file }: ScenarioEntry): number {
  const { time } = file.value;
  if (time === undefined || time === '') return 0;
  const minutes = Number(/^(\d+)\s*(?:m|mins?|minutes?)?$/i.exec(String(time).trim())?.[1] ?? Number.NaN);
  if (minutes <= 10_000) return minutes;
  file.lose(['time'], `${time} is not a number of minutes: not converted`);
  return 0;
}

/** Whole minutes that add up to the total. */
const shared = (minutes: number, parts: number): number[] =>
  Array.from(
    { length: parts },
    (_, index) => Math.floor((minutes * (index + 1)) / parts) - Math.floor((minutes * index) / parts),
  );

/** The image of a scenario's laboratory. Undefined if it gets none, which is recorded. */
function imageOf({ file }: ScenarioEntry, { images, image: otherwise }: ConvertOptions): string | undefined {
  const imageId = file.value.backend?.imageid ?? '';
  const place = ['backend', 'imageid'];
  if (!hasMachine(file.value.details)) {
    file.lose([], 'has no checks and no machine of its own: only its lessons are converted');
    return undefined;
  }
  const image = imageFor(imageId, images, otherwise);
  if (image === undefined) file.lose(place, `there is no image for ${imageId}: only its lessons are converted`);
  else file.change(place, `${imageId || 'the usual image'} is replaced by ${image}`);
  return image;
}

/** Whether a scenario has checks, or a machine that is prepared. */
const hasMachine = ({ intro, steps = [], assets }: NonNullable<ScenarioFileContent['details']> = {}): boolean =>
  assets?.['host01'] !== undefined || [intro, ...steps].some((part) => part !== undefined && hasScript(part));

const hasScript = (part: Record<string, unknown>): boolean =>
  ['verify', ...setUpKeys].some((key) => typeof part[key] === 'string' && part[key].trim() !== '');

type Files = Map<string, string | Buffer>;

type LaboratoryParts = {
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
async function addLaboratory(files: Files, parts: LaboratoryParts): Promise<number> {
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

const yamlOf = (content: object): string =>
  stringify({ format: 1, ...content }, { lineWidth: 0, blockQuote: 'literal' });

/** @throws Error when the target is anything but an empty folder */
export async function checkTarget(target: string): Promise<void> {
  const found = await lstat(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!found) return;
  if (!found.isDirectory() || (await readdir(target)).length > 0)
    throw new Error(`${target} exists and is not an empty folder`);
}

/**
 * Writes content beside its target, reads it back as the service would, and only then moves it to the target.
 * @throws ContentError when the service would refuse it; nothing is left in either case
 */
export async function writeContent(target: string, files: ReadonlyMap<string, string | Buffer>): Promise<void> {
  const place = resolve(target);
  await mkdir(dirname(place), { recursive: true });
  const folder = await mkdtemp(join(dirname(place), `.${basename(place)}-`));
  try {
    for (const [path, content] of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content, { flag: 'wx' });
    }
    await readContent(folder);
    await chmod(folder, 0o755);
    await rename(folder, place);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
