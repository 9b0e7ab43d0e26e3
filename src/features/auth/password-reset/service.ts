import { randomBytes } from 'node:crypto';
import { found, TooManyRequestsError } from '../../../errors.ts';
import type { Caller } from '../../../http/access/access.ts';
import type { LoginThrottle } from '../limits/throttle.ts';
import type { Passwords } from '../passwords/passwords.ts';
import { type AddressState, invalidToken, type PasswordResetStore } from './store.ts';

type Language = 'en' | 'de' | 'ru';
type AskedMail = { userId: number; secret: string; minutes: number; content: { until: string } };

export type PasswordResetParts = {
  store: PasswordResetStore;
  passwords: Pick<Passwords, 'hash'>;
  throttle: Pick<LoginThrottle, 'takeMail'>;
  mail: {
    readonly isOn: boolean;
    ask: (
      trx: undefined,
      kind: 'password' | 'address',
      mails: readonly AskedMail[],
      language: Language | undefined,
    ) => Promise<void>;
  };
  /** Ends what other requests know of a user. */
  forget: (userId: number) => void;
  onError: (error: unknown) => void;
};

/** Minutes for which the links are valid. */
const minutesOf = { password: 30, address: 3 * 1440 };
/** Requests whose work is still to be done. Beyond them it is left undone: nobody is told either way. */
const maxWaiting = 200;

/** New passwords in place of forgotten ones, and the confirmation of addresses, by links in mails. */
export class PasswordResetService implements AsyncDisposable {
  readonly #parts: PasswordResetParts;
  #waiting = 0;
  /** One request after another, so that a burst leaves the connections of the database to others. */
  #last: Promise<void> = Promise.resolve();

  constructor(parts: PasswordResetParts) {
    this.#parts = parts;
  }

  /**
   * Returns at once: the work is done afterwards, so the answer and its time are the same whether an account has the address or not.
   * Beyond the limits of the network and of the account nothing is sent.
   */
  request(email: string, network: string, language: Language | undefined): void {
    if (!this.#parts.mail.isOn || this.#waiting >= maxWaiting) return;
    this.#waiting += 1;
    this.#last = this.#last
      .then(async () => {
        const { store, throttle } = this.#parts;
        const user = await store.byEmail(email);
        if (!(await throttle.takeMail(network, user?.id)) || !user) return;
        await this.#sendLink('password', user.id, language);
      })
      .catch(this.#parts.onError)
      .finally(() => {
        this.#waiting -= 1;
      });
  }

  /** @throws BadRequestError for a token that is not valid, TooManyRequestsError, UnavailableError */
  async reset(token: string, password: string, network: string): Promise<void> {
    const { store, passwords, forget } = this.#parts;
    // Before the hash, which costs a quarter of a second of processor time.
    if (!(await store.isValid(token))) throw invalidToken();
    const user = await store.use(token, await passwords.hash(password, { network, isKnown: false }));
    if (!user) throw invalidToken();
    forget(user.id);
  }

  /** Asks the user to confirm an address that the user has chosen. Nothing where mail is off. Never fails: the account is as wanted already. */
  async checkAddress(userId: number, language?: Language): Promise<void> {
    if (!this.#parts.mail.isOn) return;
    await this.#sendLink('address', userId, language).catch(this.#parts.onError);
  }

  /** The same after a change. Beyond the limits nothing is sent, and the user can ask again later: the address can be anybody's. */
  async checkChangedAddress({ id }: Pick<Caller, 'id'>, network: string): Promise<void> {
    const { store, throttle, mail, onError } = this.#parts;
    if (!mail.isOn) return;
    await store.expectAddress(id).catch(onError);
    if (await throttle.takeMail(network, id)) await this.checkAddress(id);
  }

  /** Sends the link again. @throws TooManyRequestsError */
  async checkAddressAgain({ id }: Caller, network: string, language: Language | undefined): Promise<void> {
    if (!(await this.#parts.throttle.takeMail(network, id)))
      throw new TooManyRequestsError('too_many_requests', 'Too many mails; try again in an hour', 3600);
    if ((await this.#parts.store.addressOf(id))?.status === 'unconfirmed') await this.checkAddress(id, language);
  }

  /** @throws BadRequestError */
  async confirmAddress(token: string): Promise<void> {
    if (!(await this.#parts.store.confirmAddress(token))) throw invalidToken();
  }

  /** @throws NotFoundError */
  async addressOf({ id }: Caller): Promise<AddressState> {
    return found(await this.#parts.store.addressOf(id), 'User');
  }

  /** Notes the language of a login, for mails. */
  async noteLanguage(userId: number, language: Language | undefined): Promise<void> {
    if (this.#parts.mail.isOn && language) await this.#parts.store.noteLanguage(userId, language);
  }

  /** Resolves when the requests that wait are done. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last;
  }

  async #sendLink(kind: 'password' | 'address', userId: number, language: Language | undefined): Promise<void> {
    const { store, mail } = this.#parts;
    const secret = randomBytes(32).toString('base64url');
    const minutes = minutesOf[kind];
    const until = await store.add(kind, userId, secret, minutes);
    // A crash in between leaves a token that nobody knows.
    await mail.ask(undefined, kind, [{ userId, secret, minutes, content: { until: until.toISOString() } }], language);
  }
}
