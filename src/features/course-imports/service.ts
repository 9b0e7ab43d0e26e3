import { ConcurrencyLimiter } from '../../../packages/limits/concurrency-limiter.ts';
import { found, InvalidError, overloaded } from '../../errors.ts';
import type { LessonRepositories, LessonRepository, StoredRepositories } from '../lesson-repositories/repositories.ts';
import type { ReadOutline, RepositoryOutline } from './conversion.ts';
import type { OutlineAnswer, Plan } from './schema.ts';
import { type CourseImportStore, repositoryNameOf } from './store.ts';

/** A repository as an administrator names it. */
type Address = { url?: string | null; branch?: string | null; repository_id?: number | null };
type Choice = { language?: string | null };

const maxListed = 200;
const waiting = { concurrency: 1, maxWaiting: 5, maxWaitSeconds: 60 };

/** Imports courses from repositories of Markdown lessons, and brings them up to date. */
export class CourseImportService {
  readonly #store: CourseImportStore;
  readonly #repositories: LessonRepositories;
  readonly #stored: StoredRepositories;
  readonly #readOutline: ReadOutline;
  readonly #onChange: () => Promise<void>;
  /** Each repository is cloned, so one at a time. */
  readonly #turns = new ConcurrencyLimiter(waiting, overloaded('Other repositories are being read'));

  /** @param onChange is called after each import: cached rows and other processes' copies of the lessons are out of date */
  constructor(parts: {
    store: CourseImportStore;
    repositories: LessonRepositories;
    stored: StoredRepositories;
    readOutline: ReadOutline;
    onChange: () => Promise<void>;
  }) {
    [this.#store, this.#repositories] = [parts.store, parts.repositories];
    [this.#stored, this.#readOutline, this.#onChange] = [parts.stored, parts.readOutline, parts.onChange];
  }

  /** What an import would do. @throws InvalidError for an address that cannot be used; NotFoundError, UnavailableError */
  async preview({ language, ...given }: Address & Choice): Promise<OutlineAnswer> {
    const repository = await this.#find(given);
    const read = await this.#read(repository, language);
    return answerOf(read, read.outline.plan(await this.#store.read(repository)));
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
      plan = read.outline.plan(stored);
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
        const name = repositoryNameOf(repository?.url ?? '');
        const outline = await this.#readOutline(version, { name, language: language ?? undefined });
        return { commit: version.commit, outline };
      }),
    );
  }
}

function answerOf(
  { commit, outline }: { commit: string | null; outline: RepositoryOutline },
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
