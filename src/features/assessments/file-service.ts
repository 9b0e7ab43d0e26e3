import type { AttemptKind } from '../../database/tables.ts';
import { found, InvalidError } from '../../errors.ts';
import { codedItem } from '../../values/coded-problem.ts';
import { scriptWithLineFeeds } from '../../values/line-feeds.ts';
import { defaultMode, defaultOwner, pathProblem, wholeMode } from '../containers/file-rules.ts';
import type { SetupFileStore } from './file-store.ts';

type StoredFile = Awaited<ReturnType<SetupFileStore['list']>>[number];
/** As an administrator sends them. */
type Fields = { path: string; owner?: string; mode?: string };

/** The files that are put into new containers of the assessments of one kind. */
export class SetupFileService {
  readonly kind: AttemptKind;
  /** Bytes of the largest file. */
  readonly maxBytes: number;
  readonly #store: SetupFileStore;

  constructor({ kind, store, maxBytes }: { kind: AttemptKind; store: SetupFileStore; maxBytes: number }) {
    this.kind = kind;
    this.#store = store;
    this.maxBytes = maxBytes;
  }

  /** Those of the assessment, then those of its tasks. @throws NotFoundError */
  async list(assessmentId: number): Promise<StoredFile[]> {
    return await this.#store.list(assessmentId);
  }

  /** @throws NotFoundError */
  async one(assessmentId: number, id: number): Promise<StoredFile> {
    const files = await this.#store.list(assessmentId);
    return found(
      files.find((file) => file.id === id),
      'file',
    );
  }

  /** Creates a file, or replaces the one at its path. @throws NotFoundError, ConflictError, InvalidError for its path */
  async put(
    actorId: number,
    assessmentId: number,
    { path, owner, mode, task_id }: Fields & { task_id?: number },
    given: Uint8Array,
  ): Promise<{ file: StoredFile; isNew: boolean }> {
    checkPath(path);
    const fields = { path, owner: owner ?? defaultOwner(path), mode: wholeMode(mode ?? defaultMode) };
    const content = scriptWithLineFeeds(path, given);
    return await this.#store.put(actorId, assessmentId, { ...fields, task_id: task_id ?? null }, content);
  }

  /** Omitted fields are unchanged. @throws NotFoundError, ConflictError, InvalidError for its path */
  async update(
    actorId: number,
    assessmentId: number,
    id: number,
    { path, owner, mode }: Partial<Fields>,
  ): Promise<StoredFile> {
    if (path !== undefined) checkPath(path);
    return await this.#store.update(actorId, assessmentId, id, {
      ...(path === undefined ? {} : { path }),
      ...(owner === undefined ? {} : { owner }),
      ...(mode === undefined ? {} : { mode: wholeMode(mode) }),
    });
  }

  /** @throws NotFoundError */
  async delete(actorId: number, assessmentId: number, id: number): Promise<void> {
    await this.#store.delete(actorId, assessmentId, id);
  }
}

function checkPath(path: string): void {
  const problem = pathProblem(path);
  if (problem !== undefined) throw new InvalidError([codedItem(['query', 'path'], problem, 'the path ')]);
}
