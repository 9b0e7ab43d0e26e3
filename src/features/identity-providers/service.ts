import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { found, NotFoundError, ServiceError, UnauthorizedError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { Page } from '../../http/lists/paging.ts';
import { hasPassword } from '../auth/passwords/passwords.ts';
import type { AuthService, Session } from '../auth/service.ts';
import type { Claims } from '../auth/tokens.ts';
import type { ProviderAccounts } from './accounts.ts';
import type { IdentityStore, ListedIdentity } from './identity-store.ts';
import { type Checks, LoginRefusedError, type OpenId, type Relation } from './openid.ts';
import type { ListedProvider, ProviderRow, ProviderStore } from './provider-store.ts';
import type { Providers } from './providers.ts';
import type { NewProvider, ProviderChange } from './schema.ts';
import { ProviderTurns } from './turns.ts';

export type IdentityProviderParts = {
  store: ProviderStore;
  identities: IdentityStore;
  providers: Providers;
  accounts: ProviderAccounts;
  openId: OpenId;
  auth: Pick<AuthService, 'enter' | 'claimsOf' | 'admit'>;
  /** Encrypts secrets. What was sealed for a place cannot be opened for another one. */
  seal: { seal: (text: string, place: string) => Buffer; open: (sealed: Buffer, place: string) => string | undefined };
  /** With the service's secret key. */
  hash: (text: string) => string;
  log: Pick<FastifyBaseLogger, 'warn'>;
};

/** A login that a browser has begun. It is stored in the browser alone, sealed, so that beginnings fill no table. */
type Flow = Checks & {
  provider: number;
  redirectUri: string;
  /** Where the user was. */
  next: string;
  /** In milliseconds. */
  expiresAt: number;
  /** The login of a user who links the provider. */
  linker?: Claims | undefined;
};
export type Begun = { url: string; cookie: string };
/** `session` is undefined where a provider was linked. `end` is what the browser keeps for the log-out, sealed; undefined: it has no room. */
export type Arrival = { next: string; session: Session | undefined; end: string | undefined };

/** Seconds for a login at a provider, with its second factor and its forgotten password. */
export const flowSeconds = 900;
/** Browsers keep no larger cookie than 4096 bytes, with its name and its attributes. */
const maxCookie = 3800;
const endPlace = (id: number): string => `the end of a login at identity provider ${id}`;
const flowPlace = 'login at an identity provider';
const secretPlace = (id: number): string => `identity_providers.sealed_secret ${id}`;

/** Logins through identity providers, and the providers for administrators. */
export class IdentityProviderService {
  readonly #parts: IdentityProviderParts;
  readonly #turns = new ProviderTurns('Too many logins wait for the identity provider');

  constructor(parts: IdentityProviderParts) {
    this.#parts = parts;
  }

  /** Those to log in with. */
  async active(): Promise<ProviderRow[]> {
    return await this.#parts.providers.active();
  }

  /**
   * @param token of the user who links the provider
   * @throws NotFoundError, LoginRefusedError
   */
  async begin(slug: string, redirectUri: string, next: string | undefined, token?: string): Promise<Begun> {
    const provider = await this.#active(slug);
    const [state, nonce, verifier] = [random(), random(), random()];
    const flow: Flow = {
      ...{ state, nonce, verifier, provider: provider.id, redirectUri, next: ownPath(next) },
      expiresAt: Date.now() + flowSeconds * 1000,
      linker: token === undefined ? undefined : this.#parts.auth.claimsOf(token),
    };
    const { openId, seal } = this.#parts;
    const url = await this.#turn(provider, () => openId.begin(this.#relation(provider), redirectUri, flow));
    return { url: url.href, cookie: seal.seal(JSON.stringify(flow), flowPlace).toString('base64url') };
  }

  /**
   * Ends a login with the answer that the provider has sent through the browser.
   * @param query of the answer @param cookies in which the browser has kept the login
   * @param network where the request comes from
   * @throws NotFoundError; LoginRefusedError, with `next` where it is known
   */
  async finish(slug: string, query: URLSearchParams, cookies: readonly string[], network: string): Promise<Arrival> {
    const provider = await this.#active(slug);
    const flow = this.#flowOf(cookies);
    // Of this provider, of this browser, and not too long ago.
    if (flow?.provider !== provider.id || flow.expiresAt <= Date.now() || query.get('state') !== flow.state)
      throw new LoginRefusedError('expired');
    try {
      return await this.#arrive(provider, flow, query, network);
    } catch (error) {
      if (error instanceof LoginRefusedError)
        Object.assign(error, { next: flow.next, isLinking: flow.linker !== undefined });
      throw error;
    }
  }

  async #arrive(provider: ProviderRow, flow: Flow, query: URLSearchParams, network: string): Promise<Arrival> {
    const { openId, identities, accounts, hash, seal } = this.#parts;
    const answer = new URL(`${flow.redirectUri}?${query}`);
    const { claims, idToken = '' } = await this.#turn(provider, () =>
      openId.finish(this.#relation(provider), answer, flow),
    );
    if (!(await identities.spendState(hash(`login state ${flow.state}`), new Date(flow.expiresAt))))
      throw new LoginRefusedError('expired', 'used before');
    if (flow.linker) {
      const user = await this.#stillIn(flow.linker);
      await accounts.link(user, knower(provider), claims);
      return { next: flow.next, session: undefined, end: undefined };
    }
    const end = seal.seal(idToken, endPlace(provider.id)).toString('base64url');
    const session = await this.#enter(await accounts.of(knower(provider), claims), network);
    return { next: flow.next, session, end: end.length > maxCookie ? undefined : end };
  }

  /**
   * Where the browser goes after the log-out: to the provider, where it is known and has an address for that.
   * @param kept what the browser has kept of its login
   */
  async endOf(slug: string, returnTo: string, [kept = '']: readonly string[]): Promise<string> {
    const provider = (await this.active()).find((one) => one.slug === slug);
    if (!provider) return returnTo;
    const { openId, seal } = this.#parts;
    const idToken = seal.open(Buffer.from(kept, 'base64url'), endPlace(provider.id)) || undefined;
    const end = await this.#turns.run(provider, () => openId.endOf(this.#relation(provider), returnTo, idToken));
    return end?.href ?? returnTo;
  }

  /** How providers know the caller. */
  async identities(userId: number): Promise<ListedIdentity[]> {
    return await this.#parts.identities.list(userId);
  }

  /** @throws NotFoundError, ConflictError for the only login */
  async unlink(userId: number, id: number): Promise<void> {
    const user = found(await this.#parts.identities.userById(userId), 'User');
    const isLocal = hasPassword(user) && (await this.#parts.providers.hasLocalLogin(user));
    await this.#parts.identities.unlink(userId, id, (now, others) => others > 0 || (isLocal && hasPassword(now)));
  }

  async list(page: Page): Promise<{ rows: ListedProvider[]; total: number }> {
    return await this.#parts.store.list(page);
  }

  /** @throws NotFoundError */
  async get(id: number): Promise<ListedProvider> {
    return found(await this.#parts.store.byId(id), 'Identity provider');
  }

  /** @throws ConflictError if another one has the slug */
  async create({ id: actorId }: Caller, { client_secret, ...given }: NewProvider): Promise<ListedProvider> {
    const fields = { ...defaults, ...given, ...domainsOf(given) };
    const id = await this.#parts.store.create(actorId, fields, this.#sealed(client_secret));
    this.#parts.providers.forget();
    return await this.get(id);
  }

  /** @throws NotFoundError, ConflictError if another one has the slug */
  async update(
    { id: actorId }: Caller,
    id: number,
    { client_secret, ...given }: ProviderChange,
  ): Promise<ListedProvider> {
    const change = { ...given, ...domainsOf(given) };
    if (!(await this.#parts.store.update(actorId, id, change, this.#sealed(client_secret)))) throw missing();
    this.#parts.providers.forget();
    return await this.get(id);
  }

  /** @throws NotFoundError */
  async delete({ id: actorId }: Caller, id: number): Promise<void> {
    if (!(await this.#parts.store.delete(actorId, id))) throw missing();
    this.#parts.providers.forget();
  }

  /** Asks the provider whether a login can succeed. @throws NotFoundError */
  async examine(id: number, redirectUriOf: (slug: string) => string): ReturnType<OpenId['examine']> {
    const provider = await this.get(id);
    const redirectUri = redirectUriOf(provider.slug);
    return await this.#turns.run(provider, () => this.#parts.openId.examine(this.#relation(provider), redirectUri));
  }

  async #active(slug: string): Promise<ProviderRow> {
    const provider = (await this.#parts.providers.active()).find((one) => one.slug === slug);
    if (!provider) throw missing();
    return provider;
  }

  async #turn<T>(provider: ProviderRow, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#turns.run(provider, work);
    } catch (error) {
      const isBusy = error instanceof ServiceError;
      if (!isBusy && !(error instanceof LoginRefusedError)) throw error;
      this.#parts.log.warn({ provider: provider.slug, reason: error.message }, 'a login through a provider failed');
      throw isBusy ? new LoginRefusedError('unavailable') : error;
    }
  }

  #relation({ id, issuer, client_id: clientId, sealed_secret, scopes }: ProviderRow): Relation {
    const secret = sealed_secret === null ? undefined : this.#parts.seal.open(sealed_secret, secretPlace(id));
    return { issuer, clientId, scopes, secret };
  }

  #sealed(secret: string | null | undefined) {
    if (secret === undefined) return undefined;
    return (id: number) => (secret === null ? null : this.#parts.seal.seal(secret, secretPlace(id)));
  }

  #flowOf([cookie, ...more]: readonly string[]): Flow | undefined {
    // Of several, another host of the same domain may have set one.
    if (cookie === undefined || more.length > 0) return undefined;
    const text = this.#parts.seal.open(Buffer.from(cookie, 'base64url'), flowPlace);
    return text === undefined ? undefined : (JSON.parse(text) as Flow);
  }

  async #stillIn(linker: Claims): Promise<number> {
    try {
      return (await this.#parts.auth.admit(linker)).id;
    } catch (error) {
      throw error instanceof UnauthorizedError ? new LoginRefusedError('expired') : error;
    }
  }

  async #enter(user: Parameters<AuthService['enter']>[0], network: string): Promise<Session> {
    try {
      return await this.#parts.auth.enter(user, network);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.code === 'login_locked') throw new LoginRefusedError('locked');
      throw error instanceof UnauthorizedError ? new LoginRefusedError('inactive') : error;
    }
  }
}

const defaults = {
  ...{ scopes: 'openid email profile', is_active: false, is_linking_by_email: false, has_verified_emails: false },
  ...{ local_login_off_domains: [] as string[], rules: [] },
};

const domainsOf = ({ local_login_off_domains: domains }: Pick<NewProvider, 'local_login_off_domains'>) =>
  domains && { local_login_off_domains: [...new Set(domains.map((domain) => domain.toLowerCase()))] };

const knower = (provider: ProviderRow) => ({ ...provider, of: 'provider_id' as const });
const missing = (): NotFoundError => new NotFoundError('not_found', 'Identity provider not found');
const random = (): string => randomBytes(32).toString('base64url');

/** A path of the pages, or `/`: the address of a login is not trusted. */
function ownPath(next = '/'): string {
  const base = 'http://own.invalid';
  if (!next.startsWith('/') || !URL.canParse(next, base)) return '/';
  const { origin, pathname, search, hash } = new URL(next, base);
  const isPage = origin === base && !pathname.startsWith('//') && !/^\/(api|ws)(\/|$)/.test(pathname);
  return isPage ? pathname + search + hash : '/';
}
