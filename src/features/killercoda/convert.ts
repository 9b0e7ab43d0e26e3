import { join } from 'node:path/posix';
import { stringify } from 'yaml';
import { UnusablePath } from '../content/content-folder.ts';
import { ContentProblems, type Problem } from '../content/problems.ts';
import { mediaTypeOf } from '../lessons/media-types.ts';
import { referencedFiles } from '../lessons/references.ts';
import { assetsOf, listedAssets } from './assets.ts';
import { minutesOf, shared } from './durations.ts';
import { MarkdownReader } from './markdown-reader.ts';
import { type Lesson, type Scenario, ScenarioReader } from './scenario.ts';
import { type SetUp, setUpScript } from './set-up-script.ts';
import { slugOf } from './slugs.ts';
import { type CourseEntry, KillercodaSource, type ScenarioEntry } from './source.ts';

const maxPictureBytes = 8 * 1024 * 1024;

export type ConvertOptions = {
  /** The image of the laboratories. Without it, scenarios for machines other than Ubuntu are converted to lessons only. */
  image?: string | undefined;
  /** Points of each task. */
  points: number;
};

/** The files of our layout by their paths, and warnings about what was not converted. */
export type Converted = { files: Map<string, string | Buffer>; warnings: Problem[] };

const defaultImage = 'platform-exam-linux-basics';
/** Folders prepended to a path, which reveal whether a reference leaves the source. */
const depths = 'source/'.repeat(20);

type Named = { slug: string; name: string };

/**
 * Converts a Killercoda scenario, or a folder of many, into files of our content layout.
 * @throws ContentProblems with everything that is wrong; Error when the directory does not exist
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
  if (source.problems.length > 0) throw new ContentProblems(directory, source.problems);
  return { files: conversion.files, warnings: source.warnings };
}

class Conversion {
  readonly files = new Map<string, string | Buffer>();
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
        file.warn([], 'has no texts: it is skipped');
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
    this.#addYaml(`courses/${course.slug}.yaml`, { kind: 'course', ...course, description, sections });
  }

  async #addScenario(entry: ScenarioEntry, course: Named, section: Named): Promise<Lesson[]> {
    const known = this.#scenarios.get(entry.folder);
    if (known) {
      if (known.scenario.tasks.length > 0)
        entry.file.warn(
          [],
          `its laboratory belongs to the course ${known.course}, so the course ${course.slug} gets only its lessons`,
        );
      return known.scenario.lessons;
    }
    const scenario = await new ScenarioReader(this.#source, entry, this.#markdown).read();
    this.#scenarios.set(entry.folder, { scenario, course: course.slug });
    if (scenario.lessons.length === 0) return [];
    for (const lesson of scenario.lessons) await this.#addLesson(lesson);
    if (this.#hasLaboratory(entry, scenario)) await this.#addLaboratory(entry, scenario, course, section);
    else if (entry.file.value.details?.assets)
      entry.file.warn(['details', 'assets'], 'are not converted: there is no laboratory');
    return scenario.lessons;
  }

  #hasLaboratory({ file }: ScenarioEntry, { tasks }: Scenario): boolean {
    const imageId = file.value.backend?.imageid ?? '';
    const isOther = imageId !== '' && !/^ubuntu/i.test(imageId);
    const place = ['backend', 'imageid'];
    if (tasks.length === 0) file.warn([], 'has no checks: only its lessons are converted');
    else if (isOther && this.#options.image === undefined)
      file.warn(place, `${imageId} differs from the images of this platform: only its lessons are converted`);
    else if (isOther) file.warn(place, `${imageId} is replaced by ${this.#options.image}`);
    return tasks.length > 0 && (!isOther || this.#options.image !== undefined);
  }

  async #addLaboratory(
    entry: ScenarioEntry,
    { tasks, setUps, introduction, conclusion }: Scenario,
    course: Named,
    section: Named,
  ): Promise<void> {
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
      container_image: this.#options.image ?? defaultImage,
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
      file.warn(place, `${original} runs as a set-up: before the student comes, and without internet`);
    if (setUps.length === 0) return {};
    this.files.set(`${folder}/${path}`, setUpScript(setUps));
    return { setup: path };
  }

  async #addFiles(entry: ScenarioEntry, folder: string): Promise<{ files?: string }> {
    const assets = await assetsOf(this.#source, entry);
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
      const warn = (message: string) =>
        this.#source.warnings.push({ file: path, line, message: `${reference} ${message}` });
      if (reference === found) {
        warn('is not a path within the source: not converted');
        continue;
      }
      if (this.files.has(target)) continue;
      if (mediaTypeOf(reference) === undefined) warn('is not a picture or file that lessons can show: not converted');
      else {
        try {
          this.files.set(target, await this.#source.folder.readBytes(reference, maxPictureBytes));
        } catch (error) {
          if (!(error instanceof UnusablePath)) throw error;
          warn(`${error.message}: not converted`);
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

const lineOf = (markdown: string, reference: string): number => {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return markdown.slice(0, Math.max(markdown.indexOf(name), 0)).split('\n').length;
};
