import { RowCache } from '../../database/processes/cache.ts';
import type { ChangeFeed } from '../../database/processes/change-feed.ts';
import { BadRequest, Forbidden, Unauthorized } from '../../errors.ts';
import type { Caller, Scope } from '../../http/access.ts';
import type { KnownDeviceStore } from './known-device-store.ts';
import type { Passwords } from './passwords.ts';
import type { SignedIn, UserRow, UserStore } from './store.ts';
import type { Claim, LoginThrottle } from './throttle.ts';
import { type Claims, type Tokens, tokenLifetime } from './tokens.ts';

export type Session = { access_token: string; token_type: 'bearer'; expires_in: number; user: UserRow };

/** A user with a valid token. */
export type SignedInUser = UserRow & Pick<Caller, 'scope' | 'tokenIssuedAt'>;

export type AuthParts = {
  users: UserStore;
  tokens: Tokens;
  passwords: Passwords;
  throttle: LoginThrottle;
  devices: KnownDeviceStore;
  feed: ChangeFeed;
  /** How far the rights of instructors reach. */
  instructorScope: Scope;
};

/** Authentication: login, and the check of every request with a token. */
export class AuthService {
  readonly #parts: AuthParts;
  readonly #cache: RowCache<number, SignedInUser>;

  constructor(parts: AuthParts) {
    this.#parts = parts;
    this.#cache = new RowCache({
      feed: parts.feed,
      channel: 'users_changed',
      max: 10_000,
      keyOf: (payload) => (payload === '*' ? undefined : Number(payload)),
    });
  }

  /**
   * The user of a token, with the current role from the database. Synchronous when the user is cached.
   * @throws Unauthorized for a token or a user that is invalid or no longer valid
   */
  authenticate(token: string): SignedInUser | Promise<SignedInUser> {
    const claims = this.claimsOf(token);
    const user = this.admit(claims);
    const withToken = (one: SignedInUser) => ({ ...one, tokenIssuedAt: claims.issuedAt });
    return user instanceof Promise ? user.then(withToken) : withToken(user);
  }

  /** The claims of a token, to check again later without storing the token. @throws Unauthorized */
  claimsOf(token: string): Claims {
    return this.#parts.tokens.verify(token);
  }

  /** The user of a token that was valid before. @throws Unauthorized where the token or its user is no longer valid */
  admit({ userId, issuedAt, expiresAt }: Claims): SignedInUser | Promise<SignedInUser> {
    if (this.#parts.tokens.isOver(expiresAt)) throw new Unauthorized('unauthorized', 'Could not validate credentials');
    const known = this.#cache.peek(userId);
    if (known) return admit(known, issuedAt);
    return this.#cache.get(userId, () => this.#read(userId)).then((user) => admit(user, issuedAt));
  }

  /**
   * @param login the username or the e-mail address
   * @param network where the request comes from
   * @throws Unauthorized with the same message and after the same time whether the user exists or not; TooManyRequests after repeated
   * failures, or where too many of that network wait; Unavailable where too many wait in total; Forbidden while an exam allows one login
   */
  async login(login: string, password: string, network: string): Promise<Session> {
    const { users, devices, passwords, throttle } = this.#parts;
    // A name with surrounding spaces never logs in. Its failures count for the same account, so it allows no extra guesses.
    const found = await users.byLogin(login.trim());
    const account = found ? { userId: found.id } : { name: login };
    const claim: Claim = { network, isKnown: await devices.isKnown(found?.id, network) };
    await throttle.check(account, claim);
    const user = login === login.trim() ? found : undefined;
    const isRight = await passwords.verify(password, user?.password_hash, claim);
    // Checked again: guesses sent concurrently waited for their turns together, after all of them passed the first check.
    await throttle.check(account, claim);
    const signedIn = isRight && user ? await users.recordLogin(user) : undefined;
    if (!signedIn) {
      if (isRight && user && (await users.isLocked(user.id)))
        throw new Forbidden('login_locked', 'An exam is running in another login; ask its supervisor to release yours');
      await throttle.recordFailure(account, claim);
      throw new Unauthorized('wrong_credentials', 'Incorrect username or password');
    }
    await throttle.forgive(account, claim);
    await devices.remember(signedIn.user.id, network);
    this.#cache.forget(signedIn.user.id);
    return this.#session(signedIn);
  }

  /** A fresh token for one that is still valid. @throws Unauthorized where its user was signed out since it was checked */
  async refresh(caller: UserRow): Promise<Session> {
    return this.#session(await this.#parts.users.stillSignedIn(caller));
  }

  /** Revokes every token issued until now. */
  async logout(userId: number): Promise<void> {
    await this.#parts.users.signOut(userId);
    this.#cache.forget(userId);
  }

  /**
   * Wrong guesses of the old password count as failed logins.
   * @param network where the request comes from
   * @throws BadRequest when the old password is wrong, TooManyRequests after repeated failures, Unauthorized where the caller was signed
   * out in the meantime
   */
  async changePassword(caller: UserRow, oldPassword: string, newPassword: string, network: string): Promise<Session> {
    const { users, devices, passwords, throttle } = this.#parts;
    const account = { userId: caller.id };
    const claim: Claim = { network, isKnown: await devices.isKnown(caller.id, network) };
    await throttle.check(account, claim);
    const user = await users.byId(caller.id);
    const isRight = await passwords.verify(oldPassword, user?.password_hash, claim);
    // Checked again, as at a login.
    await throttle.check(account, claim);
    if (!isRight) {
      await throttle.recordFailure(account, claim);
      throw new BadRequest('wrong_password', 'The old password is incorrect');
    }
    const signedIn = await users.setPassword(caller, await passwords.hash(newPassword, claim));
    this.#cache.forget(caller.id);
    return this.#session(signedIn);
  }

  /** Drops the cached user after another component has changed it. */
  forget(userId: number): void {
    this.#cache.forget(userId);
  }

  /** @throws BadRequest when the username or the e-mail address is taken */
  async createAdministrator(username: string, email: string, password: string): Promise<UserRow> {
    const password_hash = await this.#parts.passwords.hash(password);
    return await this.#parts.users.create({ username, email, password_hash, role: 'admin' });
  }

  async #read(userId: number): Promise<SignedInUser | undefined> {
    const { users, instructorScope } = this.#parts;
    const user = await users.byId(userId);
    return user && { ...user, scope: scopeOf(user, instructorScope) };
  }

  #session(signedIn: SignedIn | undefined): Session {
    if (!signedIn) throw new Unauthorized('unauthorized', 'Could not validate credentials');
    const { user, issuedAt } = signedIn;
    const access_token = this.#parts.tokens.issue(user.id, issuedAt);
    return { access_token, token_type: 'bearer', expires_in: tokenLifetime, user };
  }
}

const scopeOf = ({ role }: Pick<UserRow, 'role'>, instructorScope: Scope): Scope =>
  role === 'admin' ? 'all' : instructorScope;

/** Whether an exam has locked the login since, and does not run in this one. */
const isLockedOut = ({ login_locked_at: at, login_locked_token: token }: UserRow, issuedAt: number): boolean =>
  at !== null && issuedAt < at.getTime() && issuedAt !== token?.getTime();

function admit(user: SignedInUser | undefined, issuedAt: number): SignedInUser {
  const validFrom = user ? Number(user.tokens_valid_from) : Number.NaN;
  if (!user?.is_active || issuedAt < validFrom || isLockedOut(user, issuedAt))
    throw new Unauthorized('unauthorized', 'Could not validate credentials');
  return user;
}
