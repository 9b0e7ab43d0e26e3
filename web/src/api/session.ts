import { inTime } from './in-time.ts';
import { onOtherUser, rememberedProvider, rememberedUser, rememberUser } from './remembered-user.ts';
import { learnTime } from './server-clock.ts';
import type { LoginAnswer, User } from './user.ts';

/**
 * The user is a student of this class, whose pages a teacher looks at until that time, in milliseconds. Without a class, the user is the test
 * student of the teacher. `from` is the address at which it began.
 */
export type View = { classId?: number; until: number; from: string };

/**
 * `unknown` until the service has answered whether there is a login. With `isReplaced`, somebody has logged in as another user in another tab;
 * this page goes on as its user. With `mustSetUp`, a second factor is required of the user. `expired` when the service refused the token of a user on an open page: the user logs in again in a dialog
 * above the page, and pending requests continue.
 */
export type SessionState = { view?: View } & (
  | { status: 'unknown' | 'out' }
  | { status: 'in'; user: User; token: string; isReplaced?: boolean; mustSetUp?: boolean }
  | { status: 'expired'; user: User }
);

/** Milliseconds before a token's expiry at which a fresh one is requested. */
const refreshAhead = 15 * 60_000;
/** The maximum delay of setTimeout (24.8 days). */
const longestTimer = 2_147_483_647;

/** Milliseconds after which an answer that was requested ahead is not used any more. The scripts of a slow connection take long to arrive. */
const untilStale = 30_000;

/** Milliseconds between two tries to restore the login while the service does not answer: at first, and at most. */
const pause = { first: 500, most: 8000 };

/** The logged-in user. The token is in the memory of this object only; a cookie brings a page its first one: docs/decisions/0005. */
class Session {
  #state: SessionState = { status: 'unknown' };
  #expiresAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();
  /** Answers that were requested before a page asks for them, by URL. */
  readonly #ahead = new Map<string, Promise<Response>>();
  /** The token that replaced a refused one. Refused as well, it is not replaced again. */
  #replacement: string | undefined;
  #renewing: Promise<void> | undefined;
  /** The teacher's session while a view lasts. A page that is loaded again begins with it. */
  #own: { state: SessionState; expiresAt: number } | undefined;

  constructor() {
    onOtherUser((id) => this.#follow(id));
  }

  get state(): SessionState {
    return this.#state;
  }

  readonly getState = (): SessionState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Restores the login that the browser has from before this page was opened, or from another tab. */
  async restore(): Promise<void> {
    const answer = await this.#onceDecided();
    if (this.#state.status !== 'unknown' && this.#state.status !== 'out') return;
    if (answer) this.#take(answer);
    else this.#set({ status: 'out' });
  }

  /** Begins the session of a login, which the answer has left in the browser's cookie. In the frame of another page only this one has it. */
  begin(answer: LoginAnswer): void {
    if (window === top) rememberUser(answer.user.id);
    this.#take(answer);
  }

  /** Continues with the fresh token of a refresh or a changed password. */
  renew(answer: LoginAnswer): void {
    if (userOf(this.#state)?.id === answer.user.id) this.#take(answer);
  }

  /** Shows the pages of a student of a class, or of the test student, until `leave` or the end of the token. */
  look({ access_token: token, expires_in, user }: LoginAnswer, view: Omit<View, 'until'>): void {
    this.leave();
    this.#own = { state: this.#state, expiresAt: this.#expiresAt };
    this.#set({ status: 'in', user, token, view: { ...view, until: Date.now() + expires_in * 1000 } });
  }

  /** Continues the teacher's own session. */
  leave(): void {
    if (!this.#own) return;
    const { state, expiresAt } = this.#own;
    this.#own = undefined;
    this.#expiresAt = expiresAt;
    this.#set(state);
  }

  #take({ access_token, expires_in, user }: LoginAnswer): void {
    this.#expiresAt = Date.now() + expires_in * 1000;
    const { state } = this;
    const { isReplaced } = state.status === 'in' && rememberedUser() !== user.id ? state : {};
    this.#set({ status: 'in', user, token: access_token, ...(isReplaced === undefined ? {} : { isReplaced }) });
  }

  /** Asks until the service decides, which it cannot while it is restarted, or without a network. */
  async #onceDecided(): Promise<LoginAnswer | null> {
    for (let wait = pause.first; ; wait = Math.min(pause.most, wait * 2)) {
      const answer = await this.#byCookie();
      if (answer !== undefined) return answer;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  /**
   * Exchanges the cookie for a token. Null where the browser is not logged in, or as another user than it remembers. Undefined where the service
   * has not decided.
   */
  async #byCookie(): Promise<LoginAnswer | null | undefined> {
    const id = rememberedUser();
    if (id === undefined) return null;
    try {
      const response = await ((await takeEarly()) ?? timed(new Request('/api/auth/refresh', { method: 'POST' })));
      if (response.ok) {
        const answer = (await response.json()) as LoginAnswer;
        return answer.user.id === id ? answer : null;
      }
      return response.status >= 500 || response.status === 429 ? undefined : null;
    } catch {
      return undefined;
    }
  }

  /** Updates the user of the same session. */
  changeUser(user: User): void {
    if (this.#state.status !== 'in') return;
    this.#set({ ...this.#state, user });
  }

  /** The user has read that this browser is logged in as another one, and stays. */
  stay(): void {
    if (this.#state.status === 'in') this.#set({ ...this.#state, isReplaced: false });
  }

  /**
   * Ends it here and in the other tabs. With `everywhere` the service revokes all tokens of the user, including those of other browsers,
   * and the identity provider of the login ends its own.
   */
  async end({ everywhere }: { everywhere: boolean }): Promise<void> {
    this.leave();
    const { state } = this;
    if (everywhere && state.status === 'in') {
      await fetch('/api/auth/logout', { method: 'POST', headers: { authorization: `Bearer ${state.token}` } }).catch(
        () => {},
      );
    }
    const provider = rememberedProvider();
    const isMine = rememberedUser() === userOf(state)?.id;
    if (isMine) rememberUser(null);
    this.#set({ status: 'out' });
    if (isMine && everywhere && provider !== undefined)
      location.assign(`/api/auth/providers/${encodeURIComponent(provider)}/logout`);
  }

  /**
   * A request with the token. Where the token is refused, the request is repeated with a fresh one. It waits for that until the user has
   * logged in again, so that unsaved work is not lost.
   */
  async fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init);
    const isOpen = /^\/api\/auth\/(login|register|passkeys\/login.*)$/.test(new URL(request.url).pathname);
    for (;;) {
      if (this.#state.status === 'expired' && !isOpen) await this.#loggedIn(request.signal);
      const { state } = this;
      const token = state.status === 'in' ? state.token : undefined;
      const attempt = request.clone();
      if (token) attempt.headers.set('authorization', `Bearer ${token}`);
      const response = await (this.#takeAhead(request) ?? timed(attempt));
      if (response.headers.get('error-code') === 'second_factor_missing') this.#leadToSetUp(token);
      if (response.headers.get('error-code') === 'login_not_recent' && state.status === 'in') {
        // The same dialog as after the end of a session: the user logs in again, and the request is repeated.
        this.#set({ status: 'expired', user: state.user });
        if (!(await this.#loggedIn(request.signal))) return response;
        // What asked for the login may be that set-up, which is shown again.
        if (state.mustSetUp && this.#state.status === 'in') this.#leadToSetUp(this.#state.token);
        continue;
      }
      if (response.status !== 401 || token === undefined || isOpen) return response;
      await this.refused(token);
      // A request for the pages of a student is not repeated with the teacher's token.
      if (state.view) return response;
      if (this.#state.status === 'in') continue;
      if (!(await this.#loggedIn(request.signal))) return response;
    }
  }

  /** The service refuses everything until the user has set up a second factor. */
  #leadToSetUp(token: string | undefined): void {
    const { state } = this;
    if (state.status === 'in' && state.token === token && !state.view && !state.mustSetUp)
      this.#set({ ...state, mustSetUp: true });
  }

  /** Requests what the page will ask for as soon as it runs. Each answer is used once, and not for long. */
  prefetch(paths: readonly string[]): void {
    const headers: HeadersInit = this.#state.status === 'in' ? { authorization: `Bearer ${this.#state.token}` } : {};
    for (const path of paths) {
      const request = new Request(path, { headers });
      const answer = timed(request);
      this.#ahead.set(request.url, answer);
      answer.catch(() => this.#ahead.delete(request.url));
    }
    setTimeout(() => this.#ahead.clear(), untilStale);
  }

  #takeAhead({ method, url }: Request): Promise<Response> | undefined {
    const answer = method === 'GET' ? this.#ahead.get(url) : undefined;
    this.#ahead.delete(url);
    return answer;
  }

  /** The service has refused a token. Continues with a fresh one, unless the login has ended. */
  async refused(token: string): Promise<void> {
    const { state } = this;
    if (state.status !== 'in' || state.token !== token) return;
    if (state.view) return this.leave();
    this.#renewing ??= this.#renewRefused(state).finally(() => {
      this.#renewing = undefined;
    });
    await this.#renewing;
  }

  async #renewRefused({ user, token }: { user: User; token: string }): Promise<void> {
    const answer = token === this.#replacement ? null : await this.#onceDecided();
    if (this.#state.status !== 'in' || this.#state.token !== token) return;
    if (answer?.user.id === user.id) {
      this.#replacement = answer.access_token;
      this.#take(answer);
    } else this.#set({ status: 'expired', user });
  }

  /** The token for the terminal's URL. Waits for a login where there is none. */
  async token(signal: AbortSignal): Promise<string | undefined> {
    if (this.#state.status !== 'in') await this.#loggedIn(signal);
    return this.#state.status === 'in' ? this.#state.token : undefined;
  }

  #loggedIn(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (result: boolean): void => {
        unsubscribe();
        signal.removeEventListener('abort', stop);
        resolve(result);
      };
      const stop = (): void => end(false);
      const unsubscribe = this.subscribe(() => {
        if (this.#state.status === 'in') end(true);
        if (this.#state.status === 'out') end(false);
      });
      signal.addEventListener('abort', stop);
    });
  }

  /** Another tab has logged in, or out. */
  #follow(id: number | undefined): void {
    this.leave();
    const { state } = this;
    const mine = userOf(state)?.id;
    if (mine === undefined) {
      if (id !== undefined && state.status === 'out') void this.restore();
    } else if (id === undefined) {
      // Where the page stayed with its own user, it was the other user's log-out.
      if (state.status === 'expired' || (state.status === 'in' && state.isReplaced === undefined))
        this.#set({ status: 'out' });
    } else if (id !== mine) {
      if (state.status === 'in') this.#set({ ...state, isReplaced: true });
    } else if (state.status === 'expired') {
      void this.resume();
    }
  }

  /** Continues where the user has logged in again in another tab. */
  async resume(): Promise<void> {
    if (this.#state.status !== 'expired') return;
    const answer = await this.#byCookie();
    if (answer && this.#state.status === 'expired') this.renew(answer);
  }

  #set(state: SessionState): void {
    if (state.status !== 'in' || userOf(this.#state)?.id !== state.user.id) this.#ahead.clear();
    this.#state = state;
    clearTimeout(this.#timer);
    if (state.view) {
      this.#timer = setTimeout(() => this.leave(), state.view.until - Date.now());
    } else if (state.status === 'in') {
      const wait = Math.max(1000, this.#expiresAt - Date.now() - refreshAhead);
      this.#timer = setTimeout(() => void this.#refresh(), Math.min(wait, longestTimer));
    }
    for (const listener of this.#listeners) listener();
  }

  /** Each use of the cookie prolongs it. A page whose user is not that of the cookie has only its token. */
  async #refresh(): Promise<void> {
    if (this.#state.status !== 'in') return;
    const { user } = this.#state;
    const isMine = rememberedUser() === user.id;
    const answer = (isMine ? await this.#byCookie() : undefined) ?? (await this.#byToken());
    if (this.#state.status !== 'in' || this.#state.user.id !== user.id) return;
    if (answer) {
      this.renew(answer);
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#refresh(), 30_000);
  }

  async #byToken(): Promise<LoginAnswer | undefined> {
    const response = await this.fetch('/api/auth/refresh', { method: 'POST' }).catch(() => undefined);
    return response?.ok ? ((await response.json()) as LoginAnswer) : undefined;
  }
}

const userOf = (state: SessionState): User | undefined =>
  state.status === 'in' || state.status === 'expired' ? state.user : undefined;

/** The answer that document.js has requested before this script was there, once. Undefined where there was none. */
async function takeEarly(): Promise<Response | undefined> {
  const page = globalThis as { earlyLogin?: Promise<Response | undefined> };
  const answer = page.earlyLogin;
  delete page.earlyLogin;
  return await answer;
}

/** A request whose answer has the time of the server. @throws TooLate for a read without an answer */
async function timed(request: Request): Promise<Response> {
  const begin = performance.now();
  // Other requests can take long, and are not repeated lightly: they change something.
  const response = await (request.method === 'GET' ? inTime(fetch(request)) : fetch(request));
  learnTime(response, begin);
  return response;
}

export const session = new Session();
