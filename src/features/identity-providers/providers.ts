import { RowCache } from '../../database/processes/cache.ts';
import type { ChangeFeed } from '../../database/processes/change-feed.ts';
import { hasPassword } from '../auth/passwords/passwords.ts';
import { domainOf } from '../auth/registration/service.ts';
import type { ProviderRow, ProviderStore } from './provider-store.ts';

type LocalUser = { id: number; email: string; role: string; password_hash: string };

/** The providers that users log in with, in memory, and whose local logins they switch off. Without any, neither costs a query. */
export class Providers {
  readonly #store: ProviderStore;
  readonly #feed: ChangeFeed;
  readonly #cache: RowCache<'active', ProviderRow[]>;
  #last: ProviderRow[] | undefined;

  constructor(store: ProviderStore, feed: ChangeFeed) {
    this.#store = store;
    this.#feed = feed;
    this.#cache = new RowCache({ feed, channel: 'identity_providers_changed', max: 1, keyOf: () => 'active' });
  }

  async active(): Promise<ProviderRow[]> {
    this.#last = await this.#cache.get('active', () => this.#store.active());
    return this.#last;
  }

  /** For the document of the pages, which waits for no database: while that is away, what was read last. */
  async lastKnown(): Promise<ProviderRow[]> {
    if (!this.#feed.isLive && this.#last) return this.#last;
    return await this.active().catch((error: unknown) => {
      if (!this.#last) throw error;
      return this.#last;
    });
  }

  /** Drops what is known after a change. */
  forget(): void {
    this.#cache.forget();
  }

  async isLocalLoginOff(email: string): Promise<boolean> {
    return (await this.#domains()).has(domainOf(email));
  }

  /**
   * Whether a user may log in with a password. An address that a provider has verified counts as the one of the account does. Among the
   * administrators at least one always may, so that a failing provider locks nobody out for good.
   */
  async hasLocalLogin({ id, email, role }: LocalUser): Promise<boolean> {
    const domains = await this.#domains();
    if (domains.size === 0) return true;
    const isOff = (address: string): boolean => domains.has(domainOf(address));
    if (!isOff(email) && !(await this.#store.provenEmails(id)).some(isOff)) return true;
    if (role !== 'admin') return false;
    const others = await this.#store.otherAdministrators(id);
    return !others.some((other) => !other.emails.some(isOff) && hasPassword(other));
  }

  async #domains(): Promise<ReadonlySet<string>> {
    return new Set((await this.active()).flatMap((provider) => provider.local_login_off_domains));
  }
}
