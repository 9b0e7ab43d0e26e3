import { basename, join, resolve } from 'node:path';
import { join as joinPaths } from 'node:path/posix';
import { ContentFolder, UnusablePathError } from '../../../src/features/content/content-folder.ts';
import type { Problem } from '../../../src/features/content/problems.ts';
import { withLineFeeds } from '../../../src/values/line-feeds.ts';
import { JsonFile, type Remark, ScenarioFile, StructureFile } from './scenario-file.ts';

const maxJsonBytes = 1024 * 1024;
/** Limits of nested folders and of scenarios in total. A repository of scenarios does not exceed them. */
const maxDepth = 6;
const maxScenarios = 1000;

export type ScenarioEntry = {
  /** Relative to the source; empty for the source itself. */
  folder: string;
  file: JsonFile<typeof ScenarioFile>;
  title?: string | undefined;
  description?: string | undefined;
};

/** A folder of scenarios, with the fields of its structure.json. */
export type CourseEntry = { folder: string; title?: string; description?: string; scenarios: ScenarioEntry[] };

/** A Killercoda folder. Errors are collected in `problems`, and what is converted into another form or not at all in `remarks`. */
export class KillercodaSource {
  readonly problems: Problem[] = [];
  readonly remarks: Remark[] = [];
  /** The folders of all scenarios, in their order, including those that cannot be read. */
  readonly folders: string[] = [];
  readonly folder: ContentFolder;
  readonly name: string;
  /** The visited folders, so that structures that refer to each other do not recurse forever. */
  readonly #visited = new Set<string>();
  readonly #scenarios = new Map<string, JsonFile<typeof ScenarioFile> | undefined>();

  private constructor(folder: ContentFolder, name: string) {
    this.folder = folder;
    this.name = name;
  }

  /** @throws Error when the directory does not exist */
  static async open(directory: string): Promise<KillercodaSource> {
    return new KillercodaSource(await ContentFolder.open(directory), basename(resolve(directory)));
  }

  /** The courses: one for the scenarios in the source itself, and one for each folder with scenarios below. */
  async courses(): Promise<CourseEntry[]> {
    const own: CourseEntry = { folder: '', scenarios: [] };
    const courses: CourseEntry[] = [];
    const top = await this.#scenario('');
    // Others can lie below it.
    if (top !== 'absent' && top) own.scenarios.push({ folder: '', file: top });
    for (const item of await this.#itemsOf('', own)) {
      const scenario = await this.#scenario(item.path);
      if (scenario !== 'absent') {
        if (scenario) own.scenarios.push({ ...item, folder: item.path, file: scenario });
        continue;
      }
      const course: CourseEntry = { folder: item.path, scenarios: [] };
      await this.#collect(item.path, course, 1);
      // The fields in the parent structure override the course's own.
      courses.push({ ...course, ...definedOf(item) });
    }
    return [own, ...courses].filter(({ scenarios }) => scenarios.length > 0);
  }

  /** Undefined where it cannot be read. `report` gets the reason. */
  async text(path: string, maxBytes: number, report: (message: string) => void): Promise<string | undefined> {
    try {
      return withLineFeeds(await this.folder.readText(path, maxBytes));
    } catch (error) {
      if (!(error instanceof UnusablePathError)) throw error;
      report(`${path} ${error.message}`);
      return undefined;
    }
  }

  async #collect(folder: string, course: CourseEntry, depth: number): Promise<void> {
    if (depth > maxDepth) {
      this.#problem(folder, `is more than ${maxDepth} folders deep`);
      return;
    }
    if (this.#visited.has(folder)) {
      this.#problem(folder, 'belongs to two courses, or to itself');
      return;
    }
    this.#visited.add(folder);
    for (const item of await this.#itemsOf(folder, course)) {
      const scenario = await this.#scenario(item.path);
      if (scenario === 'absent') await this.#collect(item.path, course, depth + 1);
      else if (scenario) course.scenarios.push({ ...item, folder: item.path, file: scenario });
    }
  }

  /** The items of a folder: those that its structure.json lists, or all folders in it. */
  async #itemsOf(
    folder: string,
    course: CourseEntry,
  ): Promise<{ path: string; title?: string | undefined; description?: string | undefined }[]> {
    const path = joinPaths(folder, 'structure.json');
    if (!(await this.#has(path))) {
      const entries = await this.#guarded(folder, () => this.folder.list(folder), []);
      for (const entry of entries.filter((found) => found.isSymbolicLink())) {
        const message = 'is a symbolic link: skipped';
        this.remarks.push({ file: joinPaths(folder, entry.name), line: 1, kind: 'lost', message });
      }
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => ({ path: joinPaths(folder, name) }));
    }
    const text = await this.text(path, maxJsonBytes, (message) => this.#problem(path, message));
    const structure = text === undefined ? undefined : JsonFile.parse(path, text, StructureFile, this);
    if (!structure?.isValid) return [];
    const { title, description, items } = structure.value;
    if (course.folder === folder) Object.assign(course, definedOf({ title, description }));
    const found = [];
    for (const [index, item] of items.entries()) {
      const target = joinPaths(folder, item.path).replace(/\/$/, '');
      const isOutside = target === '.' || target.startsWith('..') || item.path.startsWith('/');
      if (isOutside) structure.report(['items', index, 'path'], 'is not a folder within the source');
      else if (!(await this.#isFolder(target)))
        structure.report(['items', index, 'path'], `${target} does not exist or is not a folder`);
      else found.push({ ...item, path: target });
    }
    return found;
  }

  /** Each file is read once, even where several courses contain it. */
  async #scenario(folder: string): Promise<JsonFile<typeof ScenarioFile> | 'absent' | undefined> {
    const path = joinPaths(folder, 'index.json');
    if (this.#scenarios.has(path)) return this.#scenarios.get(path);
    if (!(await this.#has(path))) return 'absent';
    this.folders.push(folder);
    if (this.#scenarios.size === maxScenarios) this.#problem(path, `there are more than ${maxScenarios} scenarios`);
    if (this.#scenarios.size >= maxScenarios) return undefined;
    const text = await this.text(path, maxJsonBytes, (message) => this.#problem(path, message));
    const file = text === undefined ? undefined : JsonFile.parse(path, text, ScenarioFile, this);
    const usable = file?.isValid ? file : undefined;
    this.#scenarios.set(path, usable);
    return usable;
  }

  /** Whether an entry with that name exists, even if it cannot be read. */
  async #has(path: string): Promise<boolean> {
    const [folder, name] = [joinPaths(path, '..'), basename(path)];
    const entries = await this.#guarded(folder, () => this.folder.list(folder === '.' ? '' : folder), []);
    return entries.some((entry) => entry.name === name);
  }

  async #isFolder(path: string): Promise<boolean> {
    const entries = await this.#guarded(path, () => this.folder.list(joinPaths(path, '..').replace(/^\.$/, '')), []);
    return entries.some((entry) => entry.name === basename(path) && entry.isDirectory());
  }

  async #guarded<Value>(path: string, read: () => Promise<Value>, otherwise: Value): Promise<Value> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof UnusablePathError)) throw error;
      this.#problem(path, error.message);
      return otherwise;
    }
  }

  #problem(file: string, message: string): void {
    this.problems.push({ file: join('.', file), line: 1, message });
  }
}

const definedOf = ({ title, description }: { title?: string | undefined; description?: string | undefined }) => ({
  ...(title?.trim() ? { title } : {}),
  ...(description === undefined ? {} : { description }),
});
