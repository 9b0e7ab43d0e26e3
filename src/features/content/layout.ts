import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path/posix';
import type { TSchema } from 'typebox';
import { Script } from '../../entities/task.ts';
import { completed, foreignFields, problemsOfTask } from '../../entities/task-kinds/kinds.ts';
import { fieldProblem } from '../../values/coded-problem.ts';
import { isTime } from '../../values/day.ts';
import { lineFeedsIn, withLineFeeds } from '../../values/line-feeds.ts';
import { totalsOf } from '../../values/variant.ts';
import { partInCircle } from '../../values/waiting-parts.ts';
import { writtenPathProblem } from '../lessons/lesson-path.ts';
import { AbsentPathError, ContentFolder, UnusablePathError } from './content-folder.ts';
import { readFiles } from './file-folder.ts';
import { ContentError, type Problem } from './problems.ts';
import {
  type Content,
  type ContentFile,
  CourseFile,
  type ExamContent,
  ExamFile,
  type KnownContent,
  type LaboratoryContent,
  LaboratoryFile,
  SandboxTemplatesFile,
  type WithScripts,
  type WrittenContent,
} from './schema.ts';
import { type Found, type Place, reportRepeats, YamlFile } from './yaml-file.ts';

const lessonsFolder = 'lessons';
const templatesFile = 'sandbox-templates.yaml';
const writtenFolder = 'written-lessons';
const topLevel = ['courses', lessonsFolder, writtenFolder, 'exams', 'laboratories', templatesFile];
const maxYamlBytes = 1024 * 1024;
const maxScriptBytes = 4 * Script.maxLength;

export const nothing: KnownContent = { courses: [], templates: [], sections: new Map(), parts: [] };

/**
 * Reads a content directory: `courses/*.yaml`, `lessons/`, `exams/<slug>/exam.yaml`, `laboratories/<slug>/laboratory.yaml` and
 * `sandbox-templates.yaml`, each of which may be absent. Nothing outside the directory is read. Without `lessons/` the texts are
 * elsewhere, and are not looked for.
 * @param known what the files may refer to beside what the directory has
 * @throws ContentError with everything that is wrong; Error when the directory cannot be read at all
 */
export async function readContent(directory: string, known = nothing): Promise<Content> {
  const reader = new LayoutReader(await ContentFolder.open(directory), known);
  const content = await reader.read();
  if (reader.problems.length > 0) throw new ContentError(directory, reader.problems);
  return content;
}

class LayoutReader {
  readonly problems: Problem[] = [];
  readonly #folder: ContentFolder;
  readonly #known: KnownContent;

  constructor(folder: ContentFolder, known: KnownContent) {
    this.#folder = folder;
    this.#known = known;
  }

  async read(): Promise<Content> {
    const courseFiles = await this.#courseFiles();
    const courses = await this.#readAll(courseFiles, CourseFile);
    // A file that could not be read or parsed may contain any course.
    const allCoursesKnown = courses.length === courseFiles.length && courses.every(({ value }) => value !== undefined);
    const exams = await this.#readAll(await this.#filesInFolders('exams', 'exam'), ExamFile);
    const laboratoryFiles = await this.#filesInFolders('laboratories', 'laboratory');
    const laboratories = await this.#readAll(laboratoryFiles, LaboratoryFile);
    const templates = await this.#readAll(await this.#templateFiles(), SandboxTemplatesFile);

    const names = (await this.#list('')).map(({ name }) => name);
    const hasLessons = names.includes(lessonsFolder);
    const hasWritten = names.includes(writtenFolder);
    // A file that could not be read or parsed may contain any template.
    const allTemplatesKnown = templates.every(({ value }) => value !== undefined);
    const templateSlugs = [
      ...templates.flatMap((file) => file.texts(['templates', '*', 'slug']).map(({ text }) => text)),
      ...this.#known.templates,
    ];
    for (const file of courses) {
      await this.#checkCourse(file, { hasLessons, hasWritten });
      if (allTemplatesKnown) reportUnknownTemplates(file, templateSlugs);
    }
    reportRepeats(courses, ['slug']);
    reportRepeats(exams, ['slug']);
    reportRepeats(laboratories, ['slug']);
    reportRepeats(laboratories.filter(isShown), ['section']);
    for (const file of templates) reportRepeats([file], ['templates', '*', 'slug']);
    const courseSlugs = [...slugsOf(courses), ...this.#known.courses];
    const sections = [...sectionsOf(courses), ...this.#known.sections.keys()];
    const contents: ExamContent[] = [];
    for (const file of exams) {
      checkAssessment(file);
      if (allCoursesKnown) reportUnknown(file, 'course', courseSlugs);
      const scripts = await this.#scripts(file);
      const files = await this.#files(file);
      if (file.isValid) contents.push(withScripts(file.value, scripts, files));
    }
    const practice: LaboratoryContent[] = [];
    for (const file of laboratories) {
      checkAssessment(file);
      if (allCoursesKnown) reportUnknown(file, 'section', sections);
      if (isShown(file)) this.#checkIsFree(file, slugsOf(laboratories));
      const scripts = await this.#scripts(file);
      const files = await this.#files(file);
      if (file.isValid) practice.push(withScripts(file.value, scripts, files));
    }
    // What is wrong elsewhere could be a name.
    if (this.problems.length === 0) this.#checkOpenings(courses, exams, laboratories);
    return {
      writtenLessons: hasWritten ? await readWrittenFiles(this.#folder, writtenFolder, this.problems) : [],
      courses: courses.filter(({ isValid }) => isValid).map(({ value }) => value),
      exams: contents,
      laboratories: practice,
      sandboxTemplates: templates.filter(({ isValid }) => isValid).flatMap(({ value }) => value.templates),
    };
  }

  async #templateFiles(): Promise<string[]> {
    const names = (await this.#list('')).map(({ name }) => name);
    for (const name of names) {
      if (!topLevel.includes(name) && !name.endsWith('.md')) this.#problem(name, 'is not part of the layout');
    }
    return names.filter((name) => name === templatesFile);
  }

  async #courseFiles(): Promise<string[]> {
    return (await this.#list('courses')).flatMap(({ name }) => {
      const path = join('courses', name);
      if (name.endsWith('.yaml')) return [path];
      this.#problem(path, 'a file in courses/ has a name that ends in .yaml');
      return [];
    });
  }

  async #filesInFolders(folder: 'exams' | 'laboratories', kind: string): Promise<string[]> {
    return (await this.#list(folder)).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return [join(path, `${kind}.yaml`)];
      this.#problem(path, `each ${kind} has a folder of its own in ${folder}/, and nothing else is there`);
      return [];
    });
  }

  async #list(path: string) {
    try {
      return await this.#folder.list(path);
    } catch (error) {
      if (!(error instanceof UnusablePathError)) throw error;
      this.#problem(path, error.message);
      return [];
    }
  }

  async #readAll<Schema extends TSchema>(paths: readonly string[], schema: Schema): Promise<YamlFile<Schema>[]> {
    const files: YamlFile<Schema>[] = [];
    for (const path of paths) {
      try {
        const source = await this.#folder.readText(path, maxYamlBytes);
        files.push(new YamlFile(path, source, schema, this.problems));
      } catch (error) {
        if (!(error instanceof UnusablePathError)) throw error;
        this.#problem(path, error.message);
      }
    }
    return files;
  }

  /** What is waited for is of the same course, and nothing waits for itself. */
  #checkOpenings(
    courses: readonly YamlFile<typeof CourseFile>[],
    exams: readonly YamlFile<typeof ExamFile>[],
    laboratories: readonly YamlFile<typeof LaboratoryFile>[],
  ): void {
    const parts = new Map(openingParts(courses, exams, laboratories).map((part) => [part.key, part]));
    const known = new Set([...parts.keys(), ...this.#known.parts.map(({ course, name }) => `${course} ${name}`)]);
    for (const { file, place, opens_at, opens_after } of parts.values()) {
      if (opens_at && !isTime(opens_at)) file.report([...place, 'opens_at'], 'is no time');
      for (const [index, key] of opens_after.entries())
        if (!known.has(key)) file.report([...place, 'opens_after', index], `its course has no ${key.split(' ')[1]}`);
    }
    const circle = parts.get(partInCircle(parts) ?? '');
    circle?.file.report([...circle.place, 'opens_after'], 'waits for others that wait for it, and would never open');
  }

  /** A section has at most one laboratory, including one that these files do not contain. */
  #checkIsFree(file: YamlFile<typeof LaboratoryFile>, own: readonly string[]): void {
    for (const { place, text } of file.texts(['section'])) {
      const holder = this.#known.sections.get(text);
      if (holder && !own.includes(holder)) file.report(place, `${text} has the laboratory ${holder} already`);
    }
  }

  async #checkCourse(
    file: YamlFile<typeof CourseFile>,
    has: { hasLessons: boolean; hasWritten: boolean },
  ): Promise<void> {
    reportRepeats([file], ['sections', '*', 'slug']);
    reportRepeats([file], ['sections', '*', 'themes', '*', 'slug']);
    if (file.value?.branch !== undefined && file.value.repository === undefined)
      file.report(['branch'], 'needs a repository');
    for (const { place, text } of file.texts(['sections', '*', 'themes', '*', 'file'])) {
      const [, section = 0, , theme = 0] = place;
      const isWritten = file.value?.sections[Number(section)]?.themes[Number(theme)]?.is_written === true;
      if (!isWritten && file.value?.repository !== undefined) continue;
      const folder = isWritten ? writtenFolder : lessonsFolder;
      try {
        // Joined manually: `join` would normalize a path that the folder must see and refuse.
        await this.#folder.checkFile(`${folder}/${text}`);
      } catch (error) {
        if (!(error instanceof UnusablePathError)) throw error;
        if (error instanceof AbsentPathError && !(isWritten ? has.hasWritten : has.hasLessons)) continue;
        file.report(place, `${folder}/${text} ${error.message}`);
      }
    }
  }

  /** The sources of a file's scripts, by the paths in the file. */
  async #scripts(file: AssessmentFile): Promise<Map<string, string>> {
    const scripts = new Map<string, string>();
    const keys = [['setup'], ...['verify', 'solution', 'partial', 'setup'].map((key) => ['tasks', '*', key])];
    for (const found of keys.flatMap((key) => file.texts(key))) {
      const path = `${dirname(file.path)}/${found.text}`;
      try {
        const source = withLineFeeds(await this.#folder.readText(path, maxScriptBytes));
        this.#checkScript(file, found, path, source);
        scripts.set(found.text, source);
      } catch (error) {
        if (!(error instanceof UnusablePathError)) throw error;
        file.report(found.place, `${path} ${error.message}`);
      }
    }
    return scripts;
  }

  /** The files of the folders that a file names, by the paths in the file. */
  async #files(file: AssessmentFile): Promise<Map<string, ContentFile[]>> {
    const folders = new Map<string, ContentFile[]>();
    for (const { place, text } of [['files'], ['tasks', '*', 'files']].flatMap((key) => file.texts(key))) {
      const path = `${dirname(file.path)}/${text}`;
      try {
        folders.set(text, await readFiles(this.#folder, path, this.problems));
      } catch (error) {
        if (!(error instanceof UnusablePathError)) throw error;
        file.report(place, `${path} ${error.message}`);
      }
    }
    return folders;
  }

  #checkScript(file: AssessmentFile, { place }: Found, path: string, source: string): void {
    if (source.trim() === '') file.report(place, `${path} is empty`);
    if (source.length > Script.maxLength) file.report(place, `${path} is longer than ${Script.maxLength} characters`);
    for (const { line, message } of mistakesOf(source)) this.#problem(path, message, line);
  }

  #problem(file: string, message: string, line = 1): void {
    this.problems.push({ file, line, message });
  }
}

type OpeningPart = {
  /** The slug of its course and its own name. */
  key: string;
  section: string | null;
  opens_at: string | null | undefined;
  opens_after: string[];
  file: { report: (place: Place, message: string) => void };
  place: Place;
};

/** What waits, and what is waited for. An exam without a course and a laboratory without a section can only wait for a time. */
function openingParts(
  courses: readonly YamlFile<typeof CourseFile>[],
  exams: readonly YamlFile<typeof ExamFile>[],
  laboratories: readonly YamlFile<typeof LaboratoryFile>[],
): OpeningPart[] {
  type Waiting = { opens_at?: string | null; opens_after?: string[] };
  const part = (course: string, name: string, { opens_at, opens_after = [] }: Waiting) => ({
    ...{ key: `${course} ${name}`, section: null, opens_at, place: [] },
    opens_after: opens_after.map((one) => `${course} ${one}`),
  });
  return [
    ...courses.flatMap((file) =>
      file.value.sections.flatMap((section, index) => [
        { ...part(file.value.slug, `section:${section.slug}`, section), file, place: ['sections', index] },
        ...section.themes.map(({ slug }) => ({
          ...{ ...part(file.value.slug, `theme:${section.slug}/${slug}`, {}), file },
          section: `${file.value.slug} section:${section.slug}`,
        })),
      ]),
    ),
    ...exams.map((file) => ({ ...part(file.value.course ?? '', `exam:${file.value.slug}`, file.value), file })),
    ...laboratories.map((file) => {
      const [course = '', section] = (file.value.section ?? '').split('/');
      const of = part(course, `laboratory:${file.value.slug}`, file.value);
      return { ...of, file, section: section === undefined ? null : `${course} section:${section}` };
    }),
  ];
}

function reportUnknown(file: AssessmentFile, key: 'course' | 'section', known: readonly string[]): void {
  for (const { place, text } of file.texts([key])) {
    if (!known.includes(text)) file.report(place, `there is no ${key} ${text}`);
  }
}

function reportUnknownTemplates(file: YamlFile<typeof CourseFile>, known: readonly string[]): void {
  const levels = [[], ['sections', '*'], ['sections', '*', 'themes', '*']];
  for (const { place, text } of levels.flatMap((level) => file.texts([...level, 'sandbox_template']))) {
    if (!known.includes(text)) file.report(place, `there is no sandbox template ${text}`);
  }
}

const slugsOf = <Schema extends TSchema>(files: readonly YamlFile<Schema>[]): string[] =>
  files.flatMap((file) => file.texts(['slug']).map(({ text }) => text));

const isShown = ({ value }: YamlFile<typeof LaboratoryFile>): boolean => value?.is_active !== false;

/** The sections of all courses in the form that laboratories use, including those of invalid courses. */
const sectionsOf = (courses: readonly YamlFile<typeof CourseFile>[]): string[] =>
  courses.flatMap((file) =>
    file
      .texts(['slug'])
      .flatMap(({ text: course }) =>
        file.texts(['sections', '*', 'slug']).map(({ text: section }) => `${course}/${section}`),
      ),
  );

type AssessmentFile = YamlFile<typeof ExamFile> | YamlFile<typeof LaboratoryFile>;

/** Characters in a script that bash or the database would reject. */
function mistakesOf(source: string): { line: number; message: string }[] {
  const at = source.indexOf('\0');
  return at < 0 ? [] : [{ line: source.slice(0, at).split('\n').length, message: 'a NUL character is not allowed' }];
}

/** Reports violations in an exam or a laboratory that no schema can express. */
function checkAssessment(file: AssessmentFile): void {
  const folderName = basename(dirname(file.path));
  const kind = file.path.endsWith('/exam.yaml') ? 'exam' : 'laboratory';
  for (const { place, text } of file.texts(['slug'])) {
    if (text !== folderName) file.report(place, `must be ${folderName}, the name of the ${kind}'s folder`);
  }
  reportRepeats([file as YamlFile<typeof ExamFile>], ['tasks', '*', 'slug']);
  if (!file.isValid) return;
  const { passing_score, tasks } = file.value;
  for (const [index, task] of tasks.entries()) {
    const { verify, worked_solution, solution: _path, ...fields } = task;
    for (const name of foreignFields(fields))
      file.report(['tasks', index, name], `is no field of the kind ${task.kind}`);
    const texts = { verification_script: verify ?? '', solution: worked_solution };
    for (const { field, problem } of problemsOfTask({ ...fields, ...texts })) {
      const place = problem === undefined ? [] : [field === 'solution' ? 'worked_solution' : field];
      file.report(['tasks', index, ...place], problem?.text ?? 'verify is missing');
    }
  }
  for (const [index, { pool, points }] of tasks.entries())
    if (pool && tasks.some((other) => other.pool === pool && other.points !== points))
      file.report(['tasks', index, 'points'], fieldProblem('pool_points').text);
  const { max_score: sum } = totalsOf(
    tasks.map((task, id) => ({ ...task, id })),
    file.value.draw,
  );
  // An assessment without tasks is a draft.
  if (tasks.length > 0 && passing_score > sum)
    file.report(['passing_score'], `must not be above ${sum}, the points of all tasks`);
}

/**
 * @param scripts the sources of all scripts, by the paths in the file
 * @param folders the files of all folders, by the paths in the file
 */
function withScripts<Value extends AssessmentFile['value']>(
  value: Value,
  scripts: ReadonlyMap<string, string>,
  folders: ReadonlyMap<string, ContentFile[]>,
): WithScripts<Value> {
  const optional = (path: string | undefined): string | null => (path === undefined ? null : (scripts.get(path) ?? ''));
  const filesIn = (path: string | undefined): ContentFile[] => folders.get(path ?? '') ?? [];
  const { setup: ownSetup, files: ownFiles, ...fields } = value;
  const tasks = value.tasks.map(({ verify, solution, partial, worked_solution, setup, files, ...task }) => ({
    ...completed({
      ...lineFeedsIn({ ...task, solution: worked_solution }),
      verification_script: scripts.get(verify ?? '') ?? '',
    }),
    solution_script: optional(solution),
    partial_script: optional(partial),
    setup_script: optional(setup),
    files: filesIn(files),
  }));
  return {
    ...lineFeedsIn(fields),
    setup_script: optional(ownSetup),
    files: filesIn(ownFiles),
    tasks,
  } as unknown as WithScripts<Value>;
}

/** The most that a service can be configured to accept. */
const maxWrittenBytes = 256 * 1024 * 1024;

/** The files of lessons that are written in the pages. Whole files are not kept in memory. */
async function readWrittenFiles(folder: ContentFolder, path: string, problems: Problem[]): Promise<WrittenContent[]> {
  const files: WrittenContent[] = [];
  const report = (file: string, message: string): void => void problems.push({ file, line: 1, message });
  try {
    for (const { path: below } of await folder.filesBelow(path)) {
      const source = `${path}/${below}`;
      const problem = writtenPathProblem(below);
      if (problem !== undefined) {
        report(source, problem.text);
        continue;
      }
      const read = () => folder.readBytes(source, maxWrittenBytes);
      const content = await read();
      const digest = createHash('sha256').update(content).digest('hex');
      files.push({
        path: below,
        bytes: content.length,
        digest,
        read: async function* () {
          yield await read();
        },
      });
    }
  } catch (error) {
    if (!(error instanceof UnusablePathError)) throw error;
    report(path, error.message);
  }
  return files;
}
