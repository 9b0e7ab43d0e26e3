import type { IncomingHttpHeaders } from 'node:http';
import { CoalescingRunner } from '../../../packages/limits/coalescing-runner.ts';
import { UnauthorizedError } from '../../errors.ts';
import type { TextSeal } from './keys.ts';
import type { PushStore } from './push-store.ts';
import { isSigned, newPushSecret, readPush } from './pushes.ts';

export type PushServiceParts = {
  store: PushStore;
  seal: TextSeal;
  /** Of the repository of the service. Null: the one that the repository names. */
  mainBranch: string | null;
  /** Updates the copies of all processes. @param id null for the repository of the service */
  refresh: (id: number | null) => Promise<unknown>;
  onError: (error: unknown) => void;
};

const placeOf = (id: number): string => `push_secrets ${id}`;
/** Compared with where there is no secret, so that it takes as long. */
const nobodys = newPushSecret();

/** Pushes that Git hosts report: one of the branch that is followed refreshes its repository. */
export class PushService {
  readonly #parts: PushServiceParts;
  /** By the id of the repository: pushes that arrive during a refresh lead to one more. */
  readonly #runners = new Map<number | null, CoalescingRunner>();

  constructor(parts: PushServiceParts) {
    this.#parts = parts;
  }

  /** A new secret, in the place of the former one. */
  async renew(actorId: number, repository: { id: number | null; name: string }) {
    const { store, seal } = this.#parts;
    const secret = newPushSecret();
    const id = await store.put(actorId, repository, (row) => seal.seal(secret, placeOf(row)));
    return { push_path: pathOf(id), secret };
  }

  /** What is shown of the secrets, by the id of the repository. */
  async shown(): Promise<Map<number | null, { push_path: string; pushed_at: Date | null }>> {
    const all = await this.#parts.store.all();
    return new Map([...all].map(([id, row]) => [id, { push_path: pathOf(row.id), pushed_at: row.pushed_at }]));
  }

  /** @returns whether it leads to a refresh, which runs afterwards. @throws UnauthorizedError for a wrong signature */
  async receive(id: number, headers: IncomingHttpHeaders, body: Buffer): Promise<boolean> {
    const { store, seal, mainBranch } = this.#parts;
    const row = await store.byId(id);
    const secret = row && seal.open(row.sealed_secret, placeOf(id));
    if (!isSigned(headers, body, secret ?? nobodys) || !row || !secret)
      throw new UnauthorizedError('unauthorized', 'The signature is wrong');
    const push = readPush(headers, body);
    if (!push || !(await store.take(id, push.digests))) return false;
    const branch = (row.repository_id === null ? mainBranch : row.branch) ?? push.defaultBranch;
    if (push.ref === undefined || branch === undefined || push.ref !== `refs/heads/${branch}`) return false;
    this.#refresh(row.repository_id);
    return true;
  }

  /** Resolves when no refresh runs. */
  async idle(): Promise<void> {
    await Promise.all([...this.#runners.values()].map((runner) => runner.idle()));
  }

  #refresh(id: number | null): void {
    const runner = this.#runners.get(id) ?? new CoalescingRunner(async () => void (await this.#parts.refresh(id)));
    this.#runners.set(id, runner);
    runner.run().catch(this.#parts.onError);
  }
}

const pathOf = (id: number): string => `/api/hooks/content/${id}`;
