import { ConcurrencyLimiter } from '../../../packages/limits/concurrency-limiter.ts';
import { runInThread } from '../../../packages/limits/run-in-thread.ts';
import { found, InvalidError, overloaded } from '../../errors.ts';
import type { OutlineResult, OutlineTask } from '../../workers/outline.ts';
import { slugOf } from '../killercoda/slugs.ts';
import { unreadableLessons } from '../lesson-repositories/problems.ts';
import type { LessonRepositories, LessonRepository, StoredRepositories } from '../lesson-repositories/repositories.ts';
import { closest, mergeCourse } from './merge.ts';
import type { Outline } from './outline.ts';
import type { HeldCourse, OutlineAnswer, OutlineChange, PlannedCourse, StoredCourse } from './schema.ts';
import { type OutlineStore, repositoryNameOf } from './store.ts';

/** A repository as an administrator names it. */
type Address = { url?: string | null; branch?: string | null; repository_id?: number | null };
type Choice = { language?: string | null };
type Plan = { planned: PlannedCourse[]; changes: OutlineChange[] };
type Stored = { courses: StoredCourse[]; slugs: ReadonlySet<string> };

const maxListed = 200;
const waiting = { concurrency: 1, maxWaiting: 5, maxWaitSeconds: 60 };

/** Imports courses from repositories of Markdown lessons, and brings them up to date. */
export class OutlineService {
  readonly #store: OutlineStore;
  readonly #repositories: LessonRepositories;
  readonly #stored: StoredRepositories;
  readonly #onChange: () => Promise<void>;
  /** Each repository is cloned, so one at a time. */
  readonly #turns = new ConcurrencyLimiter(waiting, overloaded('Other repositories are being read'));

  /** @param onChange is called after each import: cached rows and other processes' copies of the lessons are out of date */
  constructor(parts: {
    store: OutlineStore;
    repositories: LessonRepositories;
    stored: StoredRepositories;
    onChange: () => Promise<void>;
  }) {
    [this.#store, this.#repositories] = [parts.store, parts.repositories];
    [this.#stored, this.#onChange] = [parts.stored, parts.onChange];
  }

  /** What an import would do. @throws InvalidError for an address that cannot be used; NotFoundError, UnavailableError */
  async preview({ language, ...given }: Address & Choice): Promise<OutlineAnswer> {
    const repository = await this.#find(given);
    const read = await this.#read(repository, language);
    return answerOf(read, planOf(read.outline, await this.#store.read(repository)));
  }

  /**
   * Creates the courses, or brings those of an earlier import up to date. New courses are drafts.
   * @throws InvalidError, NotFoundError, UnavailableError; ConflictError where the catalogue is full
   */
  async import(
    callerId: number,
    { language, ...given }: Address & Choice & { deletes_gone?: boolean },
  ): Promise<OutlineAnswer> {
    const repository = await this.#find(given);
    const read = await this.#read(repository, language);
    let plan: Plan = { planned: [], changes: [] };
    const deletesGone = given.deletes_gone === true;
    await this.#store.write(callerId, { repository, deletesGone }, (stored) => {
      plan = planOf(read.outline, stored);
      return plan.planned;
    });
    await this.#onChange();
    return answerOf(read, plan);
  }

  /** Undefined: the repository of the service. A public address can be that of a stored one. */
  async #find({ repository_id, ...given }: Address): Promise<LessonRepository | undefined> {
    if (repository_id !== undefined && repository_id !== null) {
      if ((given.url ?? given.branch ?? null) !== null) {
        const msg = 'Value error, the repository is given by its id or by its address';
        throw new InvalidError([{ loc: ['body', 'url'], msg, type: 'value_error' }]);
      }
      return found(await this.#stored.byId(repository_id), 'Lesson repository');
    }
    const address = this.#repositories.normal(given);
    if (address === undefined) return undefined;
    const unknown = { ...address, id: undefined, username: null, sealed_key: null };
    return (await this.#stored.at(address)) ?? unknown;
  }

  async #read(repository: LessonRepository | undefined, language: string | null | undefined) {
    return await this.#turns.run(() =>
      this.#repositories.visit(repository, async (version) => {
        // Loaded here, because it loads what reads each format.
        const { readVersion } = await import('./read-version.ts');
        const { files, problems, warnings } = await readVersion(version);
        const name = repositoryNameOf(repository?.url ?? '');
        const outline = await outlineInThread(files, { name, language: language ?? undefined });
        return { commit: version.commit, outline: merged(outline, { problems, warnings }) };
      }),
    );
  }
}

const merged = (outline: Outline, read: Pick<Outline, 'problems' | 'warnings'>): Outline => ({
  ...outline,
  problems: [...read.problems, ...outline.problems],
  warnings: [...read.warnings, ...outline.warnings],
});

function planOf({ courses }: Outline, { courses: stored, slugs }: Stored): Plan {
  const taken = new Set(slugs);
  const free = new Set(stored);
  const plan: Plan = { planned: [], changes: [] };
  for (const next of courses) {
    const held = closest(
      next,
      [...free].map(({ course }) => course),
    );
    const known = [...free].find(({ course }) => course === held);
    const own = known && shares(known.course, next) ? known : undefined;
    if (own) free.delete(own);
    const wanted = own ? next : { ...next, slug: slugOf(next.slug, taken) };
    const { course, changes } = mergeCourse(own?.base, own?.course, wanted);
    const keptThemes = new Set(course.sections.flatMap(({ themes }) => themes.map(({ id }) => id)));
    const keptSections = new Set(course.sections.map(({ id }) => id));
    const before = own?.course.sections ?? [];
    const goneThemes = before
      .flatMap(({ themes }) => themes)
      .flatMap(({ id }) => (id && !keptThemes.has(id) ? [id] : []));
    const goneSections = before.flatMap(({ id }) => (id && !keptSections.has(id) ? [id] : []));
    plan.planned.push({ course, outline: { ...next, slug: course.slug }, goneThemes, goneSections });
    plan.changes.push(...changes);
  }
  return plan;
}

/** A course that has no lesson of the repository only has its name. */
function shares(course: HeldCourse, other: HeldCourse): boolean {
  const files = new Set(other.sections.flatMap(({ themes }) => themes.map(({ file }) => file)));
  return course.sections.some(({ themes }) => themes.some(({ file }) => files.has(file)));
}

function answerOf(
  { commit, outline }: { commit: string | null; outline: Outline },
  { planned, changes }: Plan,
): OutlineAnswer {
  const { format, file, languages, problems, warnings } = outline;
  return {
    ...{ commit, format, file: file ?? null, languages, changes },
    courses: planned.map(({ course: { id = null, slug, name, description, is_active = false, sections } }) => ({
      ...{ id, slug, name, description, is_active },
      sections: sections.map((section) => ({
        ...{ id: section.id ?? null, slug: section.slug, name: section.name },
        themes: section.themes.map((theme) => ({
          ...{ id: theme.id ?? null, slug: theme.slug, title: theme.title },
          ...{ markdown_file_path: theme.file, duration_minutes: theme.duration_minutes },
        })),
      })),
    })),
    ...{ problems: problems.slice(0, maxListed), problem_count: problems.length },
    ...{ warnings: warnings.slice(0, maxListed), warning_count: warnings.length },
  };
}

const program = new URL('../../workers/outline.ts', import.meta.url);

/** @throws UnavailableError where the repository takes too much time or memory */
async function outlineInThread(
  files: OutlineTask['files'],
  { name, language }: { name: string; language: string | undefined },
  { seconds = 30, heapMb = 512 } = {},
): Promise<OutlineResult> {
  const task: OutlineTask = { files, name, language };
  return await runInThread(program, task, { seconds, heapMb }, tooSlow);
}

const tooSlow = (cause?: unknown) => unreadableLessons('read_timeout', 'The repository takes too long to read', cause);
