import { found, NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { Page } from '../../http/lists/paging.ts';
import { LoginRefusedError } from '../identity-providers/openid.ts';
import type { Messages } from './messages.ts';
import { problemOf } from './messages.ts';
import { type PlatformAccess, type PlatformProblem, PlatformRefusedError } from './platform-access.ts';
import type { ListedPlatform, PlatformStore } from './platform-store.ts';
import type { NewPlatform, PlatformChange } from './schema.ts';

export const membersScope = 'https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly';

/** Platforms, for administrators. */
export class PlatformService {
  readonly #store: PlatformStore;
  readonly #messages: Pick<Messages, 'keys'>;
  readonly #access: Pick<PlatformAccess, 'accessToken'>;

  constructor(store: PlatformStore, messages: Pick<Messages, 'keys'>, access: Pick<PlatformAccess, 'accessToken'>) {
    this.#store = store;
    this.#messages = messages;
    this.#access = access;
  }

  async list(page: Page): Promise<{ rows: ListedPlatform[]; total: number }> {
    return await this.#store.list(page);
  }

  /** @throws ConflictError if another one has the issuer and the client ID */
  async create({ id }: Caller, given: NewPlatform): Promise<ListedPlatform> {
    const fields = { ...defaults, ...given, ...listsOf(given) };
    return found(await this.#store.byId(await this.#store.create(id, fields)), 'Platform');
  }

  /** @throws NotFoundError, ConflictError as `create` */
  async update({ id: actorId }: Caller, id: number, given: PlatformChange): Promise<ListedPlatform> {
    if (!(await this.#store.update(actorId, id, { ...given, ...listsOf(given) }))) throw missing();
    return found(await this.#store.byId(id), 'Platform');
  }

  /** @throws NotFoundError */
  async delete({ id: actorId }: Caller, id: number): Promise<void> {
    if (!(await this.#store.delete(actorId, id))) throw missing();
  }

  /** Asks the platform for its keys and for an access token. @returns what is wrong @throws NotFoundError */
  async examine(id: number): Promise<PlatformProblem[]> {
    const platform = found(await this.#store.byId(id), 'Platform');
    const problems: PlatformProblem[] = [];
    if (platform.deployment_ids.length === 0) problems.push('no_deployment');
    if (platform.origins.length === 0) problems.push('no_origin');
    const keys = await this.#messages.keys(platform.jwks_url, 0).then(
      () => undefined,
      (error: unknown) => (error instanceof LoginRefusedError ? wordOf(error.message) : 'no_keys'),
    );
    const token = await this.#access.accessToken(platform, [membersScope], { isFresh: true }).then(
      () => undefined,
      (error: unknown) => (error instanceof PlatformRefusedError ? 'token_refused' : wordOf(problemOf(error))),
    );
    return [...new Set([...problems, ...(keys ? [keys] : []), ...(token ? [token] : [])])];
  }
}

const words: Record<string, PlatformProblem> = {
  ...{ private: 'address_private', insecure: 'address_insecure', timeout: 'timeout', unreachable: 'unreachable' },
};
const wordOf = (problem: string): PlatformProblem => words[problem] ?? 'no_keys';
const missing = (): NotFoundError => new NotFoundError('not_found', 'Platform not found');

const defaults = {
  ...{ token_audience: null, deployment_ids: [] as string[], origins: [] as string[] },
  ...{ is_active: false, is_linking_by_email: false, makes_instructors: false },
};

/** Each once, origins as browsers write them. */
const listsOf = ({ deployment_ids: ids, origins }: Pick<PlatformChange, 'deployment_ids' | 'origins'>) => ({
  ...(ids && { deployment_ids: [...new Set(ids)] }),
  ...(origins && { origins: [...new Set(origins.map((origin) => new URL(origin).origin))] }),
});
