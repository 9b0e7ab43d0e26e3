import { randomUUID } from 'node:crypto';
import { RowCache } from '../../database/processes/cache.ts';
import type { ChangeFeed } from '../../database/processes/change-feed.ts';
import { BadRequestError, ForbiddenError, NotFoundError, UnauthorizedError } from '../../errors.ts';
import type { Caller, Scope } from '../../http/access/access.ts';
import type { StudentView } from '../../values/student-view.ts';
import type { TokenScope } from '../../values/token-scopes.ts';
import type { KnownDeviceStore } from './known-device-store.ts';
import type { Claim, LoginThrottle } from './limits/throttle.ts';
import type { LoginCookieStore } from './login-cookie-store.ts';
import type { Client, Login, LoginStore } from './login-store.ts';
import type { Passwords } from './passwords/passwords.ts';
import type { SeenUser, SignedIn, UserRow, UserStore } from './store.ts';
import { type Claims, type Tokens, tokenLifetime } from './tokens.ts';

/** `cookie` is for the pages, where they have asked for it. */
export type Session = {
  access_token: string;
  token_type: 'bearer';
  expires_in: number;
  user: UserRow;
  cookie?: string;
};

/** A user as cached for requests. */
type KnownUser = UserRow & Pick<Caller, 'scope' | 'mustSetUp'>;

/** A user with a valid token. */
export type SignedInUser = KnownUser & Pick<Caller, 'view' | 'tokenScopes'> & { login: string };

export type AuthParts = {
  users: UserStore;
  tokens: Tokens;
  passwords: Passwords;
  throttle: LoginThrottle;
  devices: KnownDeviceStore;
  cookies: LoginCookieStore;
  /** The user of a valid personal token. */
  personalTokens: {
    admit: (hash: string) => Promise<{ id: number; scopes: readonly TokenScope[]; user: UserRow } | undefined>;
  };
  logins: LoginStore;
  /** Takes a code of the second factor once. @returns false for a wrong one */
  takeCode: (userId: number, code: string) => Promise<boolean>;
  /** Whether an app gives the user such codes. Others have passkeys, and recovery codes. */
  hasApp: (userId: number) => Promise<boolean>;
  /** The student of a view, while it lasts and its viewer may look. */
  views: { admit: (id: string) => Promise<{ student: UserRow; view: StudentView } | undefined> };
  feed: ChangeFeed;
  /** Whether a user may log in with a password. */
  hasLocalLogin: (user: UserRow) => Promise<boolean>;
  /** How far the rights of instructors reach. */
  instructorScope: Scope;
};

/** How old a login may be for changes of the account itself. */
const recentMinutes = 15;
/** What is no request of a client. */
const unknown: Client = { device: '', address: '' };

/** Authentication: login, and the check of every request with a token. */
export class AuthService {
  readonly #parts: AuthParts;
  readonly #cache: RowCache<number, KnownUser>;

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
   * @throws UnauthorizedError for a token or a user that is invalid or no longer valid
   */
  authenticate(token: string): SignedInUser | Promise<SignedInUser> {
    return this.#admit(this.claimsOf(token));
  }

  /** The claims of a token, to check again later without storing the token. @throws UnauthorizedError */
  claimsOf(token: string): Claims {
    return this.#parts.tokens.verify(token);
  }

  /** The token of a view of a student's pages, or of a test student. @param expiresAt with which the view ends as well */
  tokenForView(view: string, expiresAt: Date): string {
    return this.#parts.tokens.issueForView(view, expiresAt);
  }

  /**
   * The user of a token that was valid before.
   * @throws UnauthorizedError where the token or its user is no longer valid, or the user must set up a second factor first
   */
  admit(claims: Claims): SignedInUser | Promise<SignedInUser> {
    const user = this.#admit(claims);
    return user instanceof Promise ? user.then(withoutSetUp) : withoutSetUp(user);
  }

  #admit(claims: Claims): SignedInUser | Promise<SignedInUser> {
    const { userId, expiresAt } = claims;
    if (this.#parts.tokens.isOver(expiresAt))
      throw new UnauthorizedError('unauthorized', 'Could not validate credentials');
    if (claims.personal !== undefined) return this.#admitPersonal(claims.personal, claims);
    if (claims.view !== undefined) return this.#admitView(claims.view, claims.login);
    const known = this.#cache.peek(userId);
    if (known) return admit(known, claims);
    return this.#cache.get(userId, () => this.#read(userId)).then((user) => admit(user, claims));
  }

  /**
   * @param login the username or the e-mail address
   * @param network where the request comes from
   * @param more.hasCookie whether the client keeps the login in a cookie @param more.code of the second factor
   * @throws UnauthorizedError with the same message and after the same time whether the user exists or not, and for a missing or wrong
   * code; TooManyRequestsError after repeated
   * failures, or where too many of that network wait; Unavailable where too many wait in total; Forbidden while an exam allows one login
   */
  async login(
    login: string,
    password: string,
    network: string,
    {
      client = unknown,
      hasCookie = false,
      code,
    }: { client?: Client; hasCookie?: boolean; code?: string | undefined } = {},
  ): Promise<Session> {
    const { users, devices, passwords, throttle } = this.#parts;
    const user = await users.byLogin(login);
    const account = user ? { userId: user.id } : { name: login };
    const claim: Claim = { network, isKnown: await devices.isKnown(user?.id, network) };
    await throttle.check(account, claim);
    const isRight = await passwords.verify(password, user?.password_hash, claim);
    // Checked again: guesses sent concurrently waited for their turns together, after all of them passed the first check.
    await throttle.check(account, claim);
    if (isRight && user && !(await this.#parts.hasLocalLogin(user)))
      throw new ForbiddenError('local_login_off', 'Log in through the identity provider of your school');
    if (isRight && user?.has_second_factor) await this.#checkCode(user.id, code, claim);
    const signedIn = isRight && user ? await users.recordLogin(user, randomUUID()) : undefined;
    if (!signedIn) {
      if (isRight && user && (await users.reportLocked(user.id))) throw loginLocked();
      await throttle.recordFailure(account, claim);
      throw new UnauthorizedError('wrong_credentials', 'Incorrect username or password');
    }
    await throttle.forgive(account, claim);
    return await this.#begin(signedIn, network, client, hasCookie);
  }

  /**
   * A login of a user whom another service, or a passkey, has identified. It needs neither password nor second factor.
   * @param user as just read @param network where the request comes from
   * @throws UnauthorizedError for a user who is not active, ForbiddenError while an exam allows one login
   */
  async enter(
    user: Pick<UserRow, 'id' | 'password_hash'>,
    network: string,
    client: Client = unknown,
    hasCookie = true,
  ): Promise<Session> {
    const signedIn = await this.#parts.users.recordLogin(user, randomUUID());
    if (signedIn) return await this.#begin(signedIn, network, client, hasCookie);
    if (await this.#parts.users.reportLocked(user.id)) throw loginLocked();
    throw new UnauthorizedError('unauthorized', 'Could not validate credentials');
  }

  async #begin(signedIn: SignedIn, network: string, client: Client, hasCookie: boolean): Promise<Session> {
    const { devices, cookies, logins } = this.#parts;
    await devices.remember(signedIn.user.id, network);
    await logins.record(signedIn, client);
    this.#cache.forget(signedIn.user.id);
    const session = this.#session(signedIn);
    return hasCookie ? { ...session, cookie: await cookies.create(signedIn) } : session;
  }

  /** A fresh token of the login that a cookie keeps, and the cookie's next value. @throws UnauthorizedError */
  async refreshByCookie(value: string, client = unknown): Promise<Session> {
    const exchanged = await this.#parts.cookies.exchange(value);
    if (exchanged) await this.#parts.logins.record(exchanged.signedIn, client);
    return { ...this.#session(exchanged?.signedIn), ...(exchanged ? { cookie: exchanged.cookie } : {}) };
  }

  /** A fresh token of the same login. @throws UnauthorizedError where it has ended since it was checked, or an exam has locked it out */
  async refresh(caller: SeenUser, client = unknown): Promise<Session> {
    const { users, logins } = this.#parts;
    const signedIn = await users.stillSignedIn(caller);
    if (signedIn) await logins.record(signedIn, client);
    return this.#session(signedIn);
  }

  /** The caller's logins of which a token can be valid. */
  async logins(caller: Pick<Caller, 'id' | 'login'>): Promise<(Omit<Login, 'login'> & { is_current: boolean })[]> {
    const logins = await this.#parts.logins.list(caller.id);
    return logins.map(({ login, ...shown }) => ({ ...shown, is_current: login === caller.login }));
  }

  /**
   * Before what outlives a stolen token: another address, a factor, an identity, a token for programs.
   * @throws ForbiddenError where the caller has not logged in within the last minutes
   */
  async requireRecentLogin({ id, login, tokenScopes }: Pick<Caller, 'id' | 'login' | 'tokenScopes'>): Promise<void> {
    if (tokenScopes) throw new ForbiddenError('scope', 'A personal token does not permit this');
    if (login !== undefined && (await this.#parts.logins.isRecent(id, login, recentMinutes))) return;
    throw new ForbiddenError('login_not_recent', 'Log in again first');
  }

  /** Ends one of the caller's logins. @throws NotFoundError */
  async endLogin({ id: userId }: Pick<Caller, 'id'>, id: number): Promise<void> {
    if (!(await this.#parts.logins.end(userId, id))) throw new NotFoundError('not_found', 'Session not found');
    this.#cache.forget(userId);
  }

  /** Revokes every token issued until now. */
  async logout(caller: SeenUser): Promise<void> {
    await this.#parts.users.signOut(caller);
    this.#cache.forget(caller.id);
  }

  /**
   * The login continues with a fresh token. Wrong guesses of the old password count as failed logins.
   * @param network where the request comes from
   * @throws BadRequestError when the old password is wrong, TooManyRequestsError after repeated failures, UnauthorizedError where the caller was signed
   * out in the meantime, or locked out by an exam
   */
  async changePassword(caller: SeenUser, oldPassword: string, newPassword: string, network: string): Promise<Session> {
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
      throw new BadRequestError('wrong_password', 'The old password is incorrect');
    }
    const signedIn = await users.setPassword(caller, await passwords.hash(newPassword, claim));
    this.#cache.forget(caller.id);
    return this.#session(signedIn);
  }

  /** Drops the cached user after another component has changed it. */
  forget(userId: number): void {
    this.#cache.forget(userId);
  }

  /** @throws BadRequestError when the username or the e-mail address is taken */
  async createAdministrator(username: string, email: string, password: string): Promise<UserRow> {
    const password_hash = await this.#parts.passwords.hash(password);
    return await this.#parts.users.create({ username, email, password_hash, role: 'admin' });
  }

  /** Never from the cache: what was deleted a moment ago is refused. A logout does not end it. */
  async #admitPersonal(hash: string, claims: Claims): Promise<SignedInUser> {
    const found = await this.#parts.personalTokens.admit(hash);
    const user = found && (await this.#read(found.user.id));
    return { ...admit(user, { ...claims, issuedAt: Number.MAX_SAFE_INTEGER }), tokenScopes: found?.scopes ?? [] };
  }

  /** Never from the cache: what ended a moment ago is over. */
  async #admitView(id: string, login: string): Promise<SignedInUser> {
    const found = await this.#parts.views.admit(id);
    if (!found) throw new UnauthorizedError('unauthorized', 'Could not validate credentials');
    return { ...found.student, scope: this.#parts.instructorScope, login, view: found.view };
  }

  /** @throws UnauthorizedError without the code of the second factor, or with a wrong one, which counts as a failed login; TooManyRequestsError */
  async #checkCode(userId: number, code: string | undefined, claim: Claim): Promise<void> {
    const { takeCode, hasApp, throttle } = this.#parts;
    if (!code) {
      const reason = (await hasApp(userId)) ? {} : { reason: 'passkey' };
      throw new UnauthorizedError('second_factor_required', 'The code of the second factor is required', reason);
    }
    if (await takeCode(userId, code)) return;
    await throttle.recordFailure({ userId }, claim);
    throw new UnauthorizedError('wrong_second_factor', 'The code is wrong, or was used already');
  }

  async #read(userId: number): Promise<KnownUser | undefined> {
    const { users, instructorScope } = this.#parts;
    const user = await users.known(userId);
    return user && { ...user, scope: scopeOf(user, instructorScope) };
  }

  #session(signedIn: SignedIn | undefined): Session {
    if (!signedIn) throw new UnauthorizedError('unauthorized', 'Could not validate credentials');
    const { user, login, issuedAt } = signedIn;
    const access_token = this.#parts.tokens.issue(user.id, login, issuedAt);
    return { access_token, token_type: 'bearer', expires_in: tokenLifetime, user };
  }
}

function withoutSetUp(user: SignedInUser): SignedInUser {
  if (user.mustSetUp) throw new UnauthorizedError('unauthorized', 'A second factor must be set up first');
  return user;
}

const loginLocked = () =>
  new ForbiddenError('login_locked', 'An exam is running in another login; ask its supervisor to release yours');

const scopeOf = ({ role }: Pick<UserRow, 'role'>, instructorScope: Scope): Scope =>
  role === 'admin' ? 'all' : instructorScope;

/** Whether an exam runs in another login, which it permits alone. */
const isLockedOut = ({ locked_login }: UserRow, login: string): boolean =>
  locked_login !== null && locked_login !== login;

function admit(user: KnownUser | undefined, { login, issuedAt }: Claims): SignedInUser {
  const validFrom = user ? Number(user.tokens_valid_from) : Number.NaN;
  if (!user?.is_active || issuedAt < validFrom || isLockedOut(user, login) || user.ended_logins.includes(login))
    throw new UnauthorizedError('unauthorized', 'Could not validate credentials');
  return { ...user, login };
}
