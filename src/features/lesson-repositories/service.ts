import type { LessonRepository } from '../../database/tables.ts';
import { ConflictError, found } from '../../errors.ts';
import { checkedKey, type RepositoryKeys, unreadableKey } from './keys.ts';
import { pastedAddress } from './pasted-address.ts';
import { repositoryProblemOf, repositoryProblems, UnusableRepositoryError } from './problems.ts';
import type { LessonRepositories } from './repositories.ts';
import type { AcceptedHostKey, RepositoryChange, ShownRepository, ShownTest } from './schema.ts';
import type { RepositoryFields, RepositoryRow, RepositoryStore } from './store.ts';

/** What is known of the lessons repository of the service. */
export type MainRepository = Pick<
  ShownRepository,
  'url' | 'branch' | 'has_key' | 'commit' | 'updated_at' | 'error' | 'failed_at'
>;

export type RepositoryServiceParts = {
  store: RepositoryStore;
  keys: RepositoryKeys;
  repositories: LessonRepositories;
  main: () => MainRepository;
  /** Asks the server for the newest commit. @throws UnusableRepositoryError */
  probe: (repository: LessonRepository) => Promise<{ commit: string | null } | { error: string }>;
  /** Accepts a host key of an SSH server in this process, or says why not. @throws UnavailableError */
  acceptHostKey: (url: string, fingerprint: string) => Promise<'accepted' | keyof typeof keyRefusals>;
  /** Accepts it in the other processes. Never throws. */
  acceptElsewhere: (url: string, fingerprint: string) => Promise<void>;
  /** Deletes the copies of a repository that was deleted, or has another address. */
  removeCopy: (repository: LessonRepository) => Promise<void>;
  /** Drops cached rows. */
  onChange: () => void;
  /** Refreshes the copies of other processes. Never throws. */
  refreshOthers: () => Promise<void>;
};

const keyRefusals = {
  other_key: () => new ConflictError('changed_meanwhile', 'The Git server has another host key by now: read it again'),
  not_ssh: () => new ConflictError('conflict', 'The lesson repository has no SSH address'),
  operators_list: () => new ConflictError('conflict', 'The accepted host keys are those of LESSONS_SSH_KNOWN_HOSTS'),
};

type Course = { id: number; name: string; repository_id: number | null };

/** The repositories that administrators let courses read their lessons from. */
export class RepositoryService {
  readonly #parts: RepositoryServiceParts;

  constructor(parts: RepositoryServiceParts) {
    this.#parts = parts;
  }

  /** The default repository, then the others by name. @param courseId its own repository only */
  async list(courseId?: number): Promise<ShownRepository[]> {
    const { store, main } = this.#parts;
    const [rows, courses] = await Promise.all([store.list(courseId), store.courses(courseId)]);
    if (courseId !== undefined) return rows.map((row) => this.#shown(row, courses));
    const first = withCode({
      ...{ id: null, is_default: true, name: '', username: null, ...main() },
      courses: usersOf(null, courses),
    });
    return [first, ...rows.map((row) => this.#shown(row, courses))];
  }

  /** @throws NotFoundError */
  async get(id: number, courseId?: number): Promise<ShownRepository> {
    return this.#shown(await this.#row(id), await this.#parts.store.courses(courseId));
  }

  /** @throws InvalidError for an address or a key that cannot be used; ConflictError */
  async create(
    actorId: number,
    given: RepositoryChange & { name: string; url: string },
    courseId?: number,
  ): Promise<ShownRepository> {
    const { store, keys, repositories } = this.#parts;
    const { key, name, username = null } = given;
    const pasted = pastedAddress(given.url);
    const { url, branch } = { ...pasted, branch: given.branch ?? pasted.branch };
    const takes = repositories.check({ url, branch });
    const text = key ? checkedKey(key, takes) : undefined;
    const row = await store.create(
      actorId,
      { name, url, branch, username },
      {
        seal: (id) => (text === undefined ? null : keys.seal(id, text)),
        courseId,
      },
    );
    this.#parts.onChange();
    return this.#shown(row, []);
  }

  /**
   * Omitted fields are unchanged. A key is for the address that it was entered for: another address removes it.
   * @throws NotFoundError, ConflictError; InvalidError as of create
   */
  async update(
    actorId: number,
    id: number,
    { key, ...given }: RepositoryChange,
    courseId?: number,
  ): Promise<ShownRepository> {
    const { store, keys, repositories } = this.#parts;
    const pasted = given.url === undefined ? undefined : pastedAddress(given.url);
    const branch = given.branch ?? pasted?.branch;
    const fields = { ...given, ...(pasted && { url: pasted.url }), ...(branch && { branch }) };
    const seal = (_id: number, before: RepositoryFields | undefined): Buffer | null | undefined => {
      const { url, branch } = { url: '', branch: null, ...before, ...fields };
      const takes = repositories.check({ url, branch });
      if (key) return keys.seal(id, checkedKey(key, takes));
      return key === undefined && url === before?.url ? undefined : null;
    };
    const { before, row } = found(await store.update(actorId, id, fields, seal), 'Lesson repository');
    this.#parts.onChange();
    const hasMoved = before.url !== row.url || before.branch !== row.branch;
    if (hasMoved || (before.sealed_key === null) !== (row.sealed_key === null)) await this.#forgetCopy(before);
    return this.#shown(row, await store.courses(courseId));
  }

  /** @throws NotFoundError; ConflictError while a course uses it */
  async delete(actorId: number, id: number): Promise<void> {
    const row = found(await this.#parts.store.delete(actorId, id), 'Lesson repository');
    this.#parts.onChange();
    await this.#forgetCopy(row);
  }

  /** @throws NotFoundError */
  async test(id: number): Promise<ShownTest> {
    const row = await this.#row(id);
    const outcome = this.#parts.keys.isReadable(row) ? await this.#probe(row) : { error: unreadableKey };
    return 'error' in outcome
      ? { is_reachable: false, commit: null, reason: outcome.error, ...reasonOf(outcome.error) }
      : { is_reachable: true, commit: outcome.commit, reason: null, reason_code: null, reason_params: null };
  }

  /** Brings the copies of all processes up to date. @throws NotFoundError; UnavailableError where this process fails */
  async refresh(id: number): Promise<{ commit: string | null; changed: boolean }> {
    const refreshed = await this.#parts.repositories.refreshOne(await this.#row(id));
    await this.#parts.refreshOthers();
    return refreshed;
  }

  /**
   * Accepts the new host key of a server in all processes, then updates their copies. An update that fails is shown with its repository.
   * @throws NotFoundError, ConflictError, UnavailableError
   */
  async acceptHostKey(actorId: number, { repository_id: id, fingerprint }: AcceptedHostKey): Promise<void> {
    const { store, repositories, main, acceptHostKey, acceptElsewhere, refreshOthers } = this.#parts;
    const row = id === null ? undefined : await this.#row(id);
    const url = row === undefined ? main().url : row.url;
    if (url === null) throw keyRefusals.not_ssh();
    const outcome = await acceptHostKey(url, fingerprint);
    if (outcome === 'not_ssh' || outcome === 'operators_list') throw keyRefusals[outcome]();
    if (outcome === 'accepted') {
      await store.logHostKey(actorId, row ?? { id: null, name: '' }, fingerprint);
      await acceptElsewhere(url, fingerprint);
    }
    // Of a key that was not accepted, the failure has the newest fingerprint.
    await (row === undefined ? repositories.refresh() : repositories.refreshOne(row)).catch(() => undefined);
    if (outcome !== 'accepted') throw keyRefusals.other_key();
    await refreshOthers();
  }

  async #forgetCopy(row: RepositoryRow): Promise<void> {
    await this.#parts.repositories.close(row.id);
    await this.#parts.removeCopy(row);
  }

  async #probe(row: RepositoryRow): Promise<{ commit: string | null } | { error: string }> {
    try {
      return await this.#parts.probe(row);
    } catch (error) {
      return { error: error instanceof UnusableRepositoryError ? error.reason : repositoryProblems.update_failed };
    }
  }

  async #row(id: number): Promise<RepositoryRow> {
    return found(await this.#parts.store.byId(id), 'Lesson repository');
  }

  #shown({ sealed_key, ...row }: RepositoryRow, courses: readonly Course[]): ShownRepository {
    const isReadable = this.#parts.keys.isReadable({ id: row.id, sealed_key });
    const error = isReadable ? row.error : unreadableKey;
    const has_key = sealed_key !== null;
    return withCode({ ...row, error, has_key, is_default: false, courses: usersOf(row.id, courses) });
  }
}

function reasonOf(text: string) {
  const { code = null, params = null } = repositoryProblemOf(text) ?? {};
  return { reason_code: code, reason_params: params };
}

function withCode(repository: Omit<ShownRepository, 'error_code' | 'error_params'>): ShownRepository {
  const { code = null, params = null } = (repository.error !== null && repositoryProblemOf(repository.error)) || {};
  return { ...repository, error_code: code, error_params: params };
}

const usersOf = (id: number | null, courses: readonly Course[]) =>
  courses.filter(({ repository_id }) => repository_id === id).map((course) => ({ id: course.id, name: course.name }));
