import { found } from '../../../errors.ts';
import type { Caller } from '../../../http/access/access.ts';
import type { KnownDeviceStore } from '../known-device-store.ts';
import type { LoginThrottle } from '../limits/throttle.ts';
import type { Passwords } from '../passwords/passwords.ts';
import type { UserRow } from '../store.ts';
import { type Invitation, type InvitationStore, wrongInvitation } from './invitation-store.ts';

type InvitationParts = {
  store: InvitationStore;
  passwords: Pick<Passwords, 'hash'>;
  throttle: Pick<LoginThrottle, 'checkCode' | 'recordWrongCode'>;
  devices: Pick<KnownDeviceStore, 'remember'>;
  /** Ends what other requests know of a user. */
  forget: (userId: number) => void;
};

/** Invitations, with which users set their first password, or another one in place of a forgotten one. */
export class InvitationService {
  readonly #parts: InvitationParts;

  constructor(parts: InvitationParts) {
    this.#parts = parts;
  }

  /** @throws NotFoundError */
  async issue(caller: Caller, userId: number): Promise<Invitation> {
    return found(await this.#parts.store.issueFor(caller.id, userId), 'User');
  }

  /**
   * The account of an invitation. With a password, the invitation is used, and the account has that password.
   * @param network where the request comes from
   * @throws ForbiddenError for a code that is not valid, TooManyRequestsError after repeated ones, UnavailableError
   */
  async open(code: string, password: string | undefined, network: string): Promise<UserRow> {
    const { store, passwords, throttle, devices, forget } = this.#parts;
    await throttle.checkCode('invitations', network);
    const user = await store.find(code);
    if (!user) {
      await throttle.recordWrongCode('invitations', network);
      throw wrongInvitation();
    }
    // Again: of a burst, all may have passed the first check.
    await throttle.checkCode('invitations', network);
    if (password === undefined) return user;
    const changed = await store.use(code, await passwords.hash(password, { network, isKnown: false }));
    if (!changed) throw wrongInvitation();
    forget(changed.id);
    await devices.remember(changed.id, network);
    return changed;
  }
}
