import { basename, dirname, join } from 'node:path/posix';
import type { TSchema } from 'typebox';
import { ContentFolder, UnusablePath } from './content-folder.ts';
import { ContentProblems, type Problem } from './problems.ts';
import {
  type Content,
  CourseFile,
  type ExamContent,
  ExamFile,
  maxScriptLength,
  SandboxTemplatesFile,
} from './schema.ts';
import { type Found, type Place, YamlFile } from './yaml-file.ts';

const lessonsFolder = 'lessons';
const templatesFile = 'sandbox-templates.yaml';
const maxYamlBytes = 1024 * 1024;
const maxScriptBytes = 4 * maxScriptLength;

/**
 * Reads a content directory: `courses/*.yaml`, `lessons/`, `exams/<slug>/exam.yaml` and `sandbox-templates.yaml`, each of
 * which may be absent. Nothing outside the directory is read.
 * @throws ContentProblems with everything that is wrong; Error when the directory cannot be read at all
 */
export async function readContent(directory: string): Promise<Content> {
  const reader = new LayoutReader(await ContentFolder.open(directory));
  const content = await reader.read();
  if (reader.problems.length > 0) throw new ContentProblems(directory, reader.problems);
  return content;
}

class LayoutReader {
  readonly problems: Problem[] = [];
  readonly #folder: ContentFolder;

  constructor(folder: ContentFolder) {
    this.#folder = folder;
  }

  async read(): Promise<Content> {
    const courses = await this.#readAll(await this.#courseFiles(), CourseFile);
    const exams = await this.#readAll(await this.#examFiles(), ExamFile);
    const hasTemplates = (await this.#list('')).some(({ name }) => name === templatesFile);
    const templates = await this.#readAll(hasTemplates ? [templatesFile] : [], SandboxTemplatesFile);

    for (const file of courses) await this.#checkCourse(file);
    reportRepeats(courses, ['slug']);
    reportRepeats(exams, ['slug']);
    for (const file of templates) reportRepeats([file], ['templates', '*', 'slug']);
    const courseSlugs = courses.flatMap((file) => file.texts(['slug']).map(({ text }) => text));
    const contents: ExamContent[] = [];
    for (const file of exams) {
      checkExam(file);
      // A course file that could not be parsed may hold the course.
      if (courses.every(({ value }) => value !== undefined)) {
        for (const { place, text } of file.texts(['course'])) {
          if (!courseSlugs.includes(text)) file.report(place, `there is no course ${text}`);
        }
      }
      const scripts = await this.#scripts(file);
      if (file.isValid) contents.push(examContent(file, scripts));
    }
    return {
      courses: courses.filter(({ isValid }) => isValid).map(({ value }) => value),
      exams: contents,
      sandboxTemplates: templates.filter(({ isValid }) => isValid).flatMap(({ value }) => value.templates),
    };
  }

  async #courseFiles(): Promise<string[]> {
    return (await this.#list('courses')).flatMap(({ name }) => {
      const path = join('courses', name);
      if (name.endsWith('.yaml')) return [path];
      this.#problem(path, 'a file in courses/ has a name that ends in .yaml');
      return [];
    });
  }

  async #examFiles(): Promise<string[]> {
    return (await this.#list('exams')).flatMap((entry) => {
      const path = join('exams', entry.name);
      if (entry.isDirectory()) return [join(path, 'exam.yaml')];
      this.#problem(path, 'each exam has a folder of its own in exams/, and nothing else is there');
      return [];
    });
  }

  async #list(path: string) {
    try {
      return await this.#folder.list(path);
    } catch (error) {
      if (!(error instanceof UnusablePath)) throw error;
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
        if (!(error instanceof UnusablePath)) throw error;
        this.#problem(path, error.message);
      }
    }
    return files;
  }

  async #checkCourse(file: YamlFile<typeof CourseFile>): Promise<void> {
    reportRepeats([file], ['sections', '*', 'slug']);
    reportRepeats([file], ['sections', '*', 'themes', '*', 'slug']);
    for (const { place, text } of file.texts(['sections', '*', 'themes', '*', 'file'])) {
      try {
        // Joined by hand: the folder is to see, and refuse, what join would tidy away.
        await this.#folder.checkFile(`${lessonsFolder}/${text}`);
      } catch (error) {
        if (!(error instanceof UnusablePath)) throw error;
        file.report(place, `${lessonsFolder}/${text} ${error.message}`);
      }
    }
  }

  /** The sources of an exam's scripts by the paths that its file gives. */
  async #scripts(file: YamlFile<typeof ExamFile>): Promise<Map<string, string>> {
    const scripts = new Map<string, string>();
    for (const found of [...file.texts(['tasks', '*', 'verify']), ...file.texts(['tasks', '*', 'solution'])]) {
      const path = `${dirname(file.path)}/${found.text}`;
      try {
        const source = await this.#folder.readText(path, maxScriptBytes);
        this.#checkScript(file, found, path, source);
        scripts.set(found.text, source);
      } catch (error) {
        if (!(error instanceof UnusablePath)) throw error;
        file.report(found.place, `${path} ${error.message}`);
      }
    }
    return scripts;
  }

  #checkScript(file: YamlFile<typeof ExamFile>, { place }: Found, path: string, source: string): void {
    if (source.trim() === '') file.report(place, `${path} is empty`);
    if (source.length > maxScriptLength) file.report(place, `${path} is longer than ${maxScriptLength} characters`);
    for (const [pattern, message] of notForBash) {
      const at = source.search(pattern);
      if (at >= 0) this.#problem(path, message, source.slice(0, at).split('\n').length);
    }
  }

  #problem(file: string, message: string, line = 1): void {
    this.problems.push({ file, line, message });
  }
}

const notForBash: [RegExp, string][] = [
  [/\r/, 'a line ends as on Windows (CR LF), which bash does not understand'],
  [/^\uFEFF/, 'begins with a byte order mark, which bash does not understand'],
  [/\0/, 'a NUL character is not allowed'],
];

function checkExam(file: YamlFile<typeof ExamFile>): void {
  const folderName = basename(dirname(file.path));
  for (const { place, text } of file.texts(['slug'])) {
    if (text !== folderName) file.report(place, `must be ${folderName}, the name of the exam's folder`);
  }
  reportRepeats([file], ['tasks', '*', 'slug']);
  if (!file.isValid) return;
  const { passing_score, tasks } = file.value;
  const sum = tasks.reduce((points, task) => points + task.points, 0);
  if (passing_score > sum) file.report(['passing_score'], `must not be above ${sum}, the points of all tasks`);
}

function examContent({ value }: YamlFile<typeof ExamFile>, scripts: ReadonlyMap<string, string>): ExamContent {
  const { tasks, ...exam } = value;
  return {
    ...exam,
    tasks: tasks.map(({ verify, solution, ...task }) => ({
      ...task,
      verification_script: scripts.get(verify) ?? '',
      solution_script: solution === undefined ? null : (scripts.get(solution) ?? ''),
    })),
  };
}

/** Reports where a text at `pattern` comes again: in the same list of a file, or where there is no list, in another file. */
function reportRepeats<Schema extends TSchema>(files: readonly YamlFile<Schema>[], pattern: Place): void {
  const seen = new Set<string>();
  for (const file of files) {
    for (const { place, text } of file.texts(pattern)) {
      const key = [...place.slice(0, -2), text].join(' ');
      if (seen.has(key)) file.report(place, `${text} is used already`);
      seen.add(key);
    }
  }
}
