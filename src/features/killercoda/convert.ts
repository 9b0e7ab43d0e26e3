import { join } from 'node:path/posix';
import { stringify } from 'yaml';
import { UnusablePath } from '../content/content-folder.ts';
import { ContentProblems } from '../content/problems.ts';
import { mediaTypeOf } from '../lessons/media-types.ts';
import { referencedFiles } from '../lessons/references.ts';
import { assetsOf, listedAssets } from './assets.ts';
import { minutesOf, shared } from './durations.ts';
import { type ImageTable, imageFor, ubuntuImage } from './images.ts';
import { MarkdownReader } from './markdown-reader.ts';
import { type Carried, type ConversionReport, reportOf } from './report.ts';
import { type Lesson, type Scenario, ScenarioReader, setUpKeys } from './scenario.ts';
import type { ScenarioFileContent } from './scenario-file.ts';
import { type SetUp, setUpScript } from './set-up-script.ts';
import { slugOf } from './slugs.ts';
import { type CourseEntry, KillercodaSource, type ScenarioEntry } from './source.ts';

const maxPictureBytes = 8 * 1024 * 1024;

export type ConvertOptions = {
  /** The images of the laboratories by the names of Killercoda's. */
  images?: ImageTable | undefined;
  /** The image of laboratories whose name is not in the table. Without it, those for other machines than Ubuntu become lessons only. */
  image?: string | undefined;
  /** Points of each task. */
  points: number;
};

/** The files of our layout by their paths, and what became of each scenario. */
export type Converted = { files: Map<string, string | Buffer>; report: ConversionReport };

/** What the introduction of a laboratory says on a machine where the student is not root, and root at Killercoda. */
const notRoot = `> [!NOTE]
> You work as the user \`student\`. \`sudo COMMAND\` runs a command as root, \`sudo -i\` opens a shell of root.
`;
/** Folders prepended to a path, which reveal whether a reference leaves the source. */
const depths = 'source/'.repeat(20);

type Named = { slug: string; name: string };

/**
 * Converts a Killercoda scenario, or a folder of many, into files of our content layout. A scenario with an error is left out.
 * @throws ContentProblems when nothing can be converted; Error when the directory does not exist
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
  if (conversion.files.size === 0) throw new ContentProblems(directory, source.problems);
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
  /** Files of the laboratory that was added last. */
  #lastFiles = 0;
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
    this.#addYaml(`courses/${course.slug}.yaml`, {
      ...{ kind: 'course', ...course, description },
      // Its author reviews it first.
      is_active: false,
      sections,
    });
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
    const image = this.#imageOf(entry);
    const problems = this.#source.problems.length;
    const isLaboratory = image !== undefined;
    const reader = new ScenarioReader(this.#source, entry, { markdown: this.#markdown, isLaboratory });
    const scenario = await reader.read();
    this.#scenarios.set(folder, { scenario, course: course.slug });
    // A part that is missing would not be noticed in the result.
    if (this.#source.problems.length > problems) scenario.lessons = [];
    else if (scenario.lessons.length === 0) file.lose([], 'has no texts: it is left out');
    if (scenario.lessons.length === 0) return [];
    if (image !== undefined && scenario.tasks.length === 0)
      file.lose([], 'has no checks: its laboratory has no tasks yet, and students read its lessons only');
    const before = this.files.size;
    for (const lesson of scenario.lessons) await this.#addLesson(lesson);
    const pictures = this.files.size - before - new Set(scenario.lessons.map(({ path }) => path)).size;
    if (image !== undefined) await this.#addLaboratory({ entry, scenario, image }, course, section);
    else if (file.value.details?.assets) file.lose(['details', 'assets'], 'are not converted: there is no laboratory');
    this.carried.set(folder, this.#carriedOf(scenario, { image, pictures }));
    return scenario.lessons;
  }

  #carriedOf({ lessons, tasks, setUps }: Scenario, more: { image: string | undefined; pictures: number }): Carried {
    const ofTasks = more.image === undefined ? [] : tasks;
    return {
      ...more,
      lessons: lessons.length,
      tasks: ofTasks.length,
      solutions: ofTasks.filter(({ solution, isProposed }) => solution !== undefined && !isProposed).length,
      proposed: ofTasks.filter(({ isProposed }) => isProposed).length,
      setUps: more.image === undefined ? 0 : setUps.length + tasks.flatMap((task) => task.setUps).length,
      files: this.#lastFiles,
    };
  }

  /** The image of its laboratory. Undefined if it gets none. */
  #imageOf({ file }: ScenarioEntry): string | undefined {
    const imageId = file.value.backend?.imageid ?? '';
    const place = ['backend', 'imageid'];
    this.#lastFiles = 0;
    if (!hasMachine(file.value.details)) {
      file.lose([], 'has no checks and no machine of its own: only its lessons are converted');
      return undefined;
    }
    const image = imageFor(imageId, this.#options.images, this.#options.image);
    if (image === undefined) file.lose(place, `there is no image for ${imageId}: only its lessons are converted`);
    else file.change(place, `${imageId || 'the usual image'} is replaced by ${image}`);
    return image;
  }

  async #addLaboratory(
    { entry, scenario, image }: { entry: ScenarioEntry; scenario: Scenario; image: string },
    course: Named,
    section: Named,
  ): Promise<void> {
    const { tasks, setUps, conclusion } = scenario;
    const introduction = image === ubuntuImage ? `${notRoot}\n${scenario.introduction}` : scenario.introduction;
    const slug = slugOf(section.slug, this.#laboratorySlugs);
    const folder = `laboratories/${slug}`;
    const taskSlugs = new Set<string>();
    const { difficulty, description = '' } = entry.file.value;
    const items = tasks.map(({ title, description: text, hint, verify, solution, setUps: ofTask }, index) => {
      const taskSlug = slugOf(title, taskSlugs, 'task');
      const below = `tasks/${String(index + 1).padStart(2, '0')}-${taskSlug}`;
      this.files.set(`${folder}/${below}/verify.sh`, verify);
      if (solution !== undefined) this.files.set(`${folder}/${below}/solution.sh`, solution);
      return {
        slug: taskSlug,
        title,
        points: this.#options.points,
        description: text,
        hint,
        verify: `${below}/verify.sh`,
        ...(solution === undefined ? {} : { solution: `${below}/solution.sh` }),
        ...this.#addSetUp(entry, folder, `${below}/setup.sh`, ofTask),
      };
    });
    this.#addYaml(`${folder}/laboratory.yaml`, {
      kind: 'laboratory',
      slug,
      title: section.name,
      description: [entry.description ?? description, difficulty ? `Difficulty: ${difficulty}` : '']
        .filter(Boolean)
        .join('\n\n'),
      ...(introduction === '' ? {} : { introduction }),
      ...(conclusion === '' ? {} : { conclusion }),
      section: `${course.slug}/${section.slug}`,
      container_image: image,
      // Its author reviews and tries it first.
      is_active: false,
      ...this.#addSetUp(entry, folder, 'setup.sh', setUps),
      ...(await this.#addFiles(entry, folder)),
      // Killercoda requires all steps.
      passing_score: items.length * this.#options.points,
      ...(items.length > 1 ? { is_sequential: true } : {}),
      tasks: items,
    });
  }

  #addSetUp({ file }: ScenarioEntry, folder: string, path: string, setUps: readonly SetUp[]): { setup?: string } {
    for (const { place, path: original } of setUps)
      file.change(place, `${original} runs as a set-up: before the student comes, and without internet`);
    if (setUps.length === 0) return {};
    this.files.set(`${folder}/${path}`, setUpScript(setUps));
    return { setup: path };
  }

  async #addFiles(entry: ScenarioEntry, folder: string): Promise<{ files?: string }> {
    const assets = await assetsOf(this.#source, entry);
    this.#lastFiles = assets.length;
    if (assets.length === 0) return {};
    for (const { path, content } of assets) this.files.set(`${folder}/files${path}`, content);
    const listed = listedAssets(assets);
    if (listed.length > 0) this.#addYaml(`${folder}/files.yaml`, { kind: 'files', files: listed });
    return { files: 'files' };
  }

  async #addLesson({ path, markdown }: Lesson): Promise<void> {
    this.files.set(join('lessons', this.#lessonPath(path)), markdown);
    for (const found of referencedFiles(markdown, `${depths}${path}`)) {
      const reference = found.startsWith(depths) ? found.slice(depths.length) : found;
      const target = join('lessons', this.#lessonPath(reference));
      const line = lineOf(markdown, reference);
      const lose = (message: string) =>
        this.#source.remarks.push({ file: path, line, kind: 'lost', message: `${reference} ${message}` });
      if (reference === found) {
        lose('is not a path within the source: not converted');
        continue;
      }
      if (this.files.has(target)) continue;
      if (mediaTypeOf(reference) === undefined) lose('is not a picture or file that lessons can show: not converted');
      else {
        try {
          this.files.set(target, await this.#source.folder.readBytes(reference, maxPictureBytes));
        } catch (error) {
          if (!(error instanceof UnusablePath)) throw error;
          lose(`${error.message}: not converted`);
        }
      }
    }
  }

  /** Lessons keep their paths from the source, so that their references still resolve. */
  #lessonPath(path: string): string {
    return `${this.#root}/${path}`;
  }

  #addYaml(path: string, content: object): void {
    this.files.set(path, stringify({ format: 1, ...content }, { lineWidth: 0, blockQuote: 'literal' }));
  }
}

/** Whether a scenario has checks, or a machine that is prepared. */
const hasMachine = ({ intro, steps = [], assets }: NonNullable<ScenarioFileContent['details']> = {}): boolean =>
  assets?.['host01'] !== undefined || [intro, ...steps].some((part) => part !== undefined && hasScript(part));

const hasScript = (part: Record<string, unknown>): boolean =>
  ['verify', ...setUpKeys].some((key) => typeof part[key] === 'string' && part[key].trim() !== '');

const lineOf = (markdown: string, reference: string): number => {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return markdown.slice(0, Math.max(markdown.indexOf(name), 0)).split('\n').length;
};
