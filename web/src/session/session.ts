import { inTime } from '../api/in-time.ts';
import { learnTime } from '../api/server-clock.ts';
import { type Kept, SessionKeeper } from './session-keeper.ts';
import type { LoginAnswer, User } from './user.ts';

/**
 * `unknown` until the keeper has answered. `expired` when the service refused the token of a user on an open page. The user logs in again
 * in a dialog above the page, and pending requests continue.
 */
export type SessionState =
  | { status: 'unknown' | 'out' }
  | { status: 'in'; user: User; token: string }
  | { status: 'expired'; user: User };

/** Milliseconds before a token's expiry at which a fresh one is requested. */
const refreshAhead = 15 * 60_000;
/** The maximum delay of setTimeout (24.8 days). */
const longestTimer = 2_147_483_647;

/** Milliseconds after which an answer that was requested ahead is not used any more. The scripts of a slow connection take long to arrive. */
const untilStale = 30_000;

/** The logged-in user. The token is in this object's memory, and with the keeper while a page reloads: docs/decisions/0005. */
class Session {
  #state: SessionState = { status: 'unknown' };
  #expiresAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();
  /** Answers that were requested before a page asks for them, by URL. */
  readonly #ahead = new Map<string, Promise<Response>>();
  readonly #keeper = new SessionKeeper({
    current: () => (this.#state.status === 'in' ? this.#kept(this.#state) : null),
    changed: (kept) => this.#takeOver(kept),
  });

  get state(): SessionState {
    return this.#state;
  }

  readonly getState = (): SessionState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Restores the session from before a reload, or from another tab. */
  async restore(): Promise<void> {
    const kept = await this.#keeper.ask();
    if (this.#state.status !== 'unknown') return;
    if (!kept || kept.expiresAt <= Date.now()) {
      this.#set({ status: 'out' });
      return;
    }
    this.#expiresAt = kept.expiresAt;
    this.#set({ status: 'in', user: kept.user, token: kept.token });
    // The page does not wait for it: where the token is refused, the answer comes after the login in the page's dialog.
    void this.#updateUser();
  }

  /** In the meantime the user may have been renamed or demoted. */
  async #updateUser(): Promise<void> {
    const response = await this.fetch('/api/auth/me').catch(() => undefined);
    if (response?.ok) this.changeUser((await response.json()) as User);
  }

  /** Starts a new session from the answer to a login, a refresh or a changed password. */
  begin({ access_token, expires_in, user }: LoginAnswer): void {
    this.#expiresAt = Date.now() + expires_in * 1000;
    this.#set({ status: 'in', user, token: access_token });
    if (this.#state.status === 'in') this.#keeper.keep(this.#kept(this.#state));
  }

  /** Updates the user of the same session. */
  changeUser(user: User): void {
    if (this.#state.status !== 'in') return;
    this.#set({ ...this.#state, user });
    this.#keeper.keep(this.#kept({ ...this.#state, user }));
  }

  /**
   * Ends it here and in the other tabs. With `everywhere` the service revokes all tokens of the user, including those of other browsers.
   */
  async end({ everywhere }: { everywhere: boolean }): Promise<void> {
    const { state } = this;
    if (everywhere && state.status === 'in') {
      await fetch('/api/auth/logout', { method: 'POST', headers: { authorization: `Bearer ${state.token}` } }).catch(
        () => {},
      );
    }
    this.#set({ status: 'out' });
    this.#keeper.keep(null);
  }

  /**
   * A request with the token. Where the token is refused, the request waits until the user has logged in again, and is then repeated, so
   * that unsaved work is not lost.
   */
  async fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init);
    const isOpen = /^\/api\/auth\/(login|register)$/.test(new URL(request.url).pathname);
    for (;;) {
      if (this.#state.status === 'expired' && !isOpen) await this.#loggedIn(request.signal);
      const { state } = this;
      const token = state.status === 'in' ? state.token : undefined;
      const attempt = request.clone();
      if (token) attempt.headers.set('authorization', `Bearer ${token}`);
      const response = await (this.#takeAhead(request) ?? timed(attempt));
      if (response.status !== 401 || token === undefined || isOpen) return response;
      if (this.#state.status === 'in' && this.#state.token !== token) continue;
      this.expire();
      if (!(await this.#loggedIn(request.signal))) return response;
    }
  }

  /** Requests what the page will ask for as soon as it runs. Each answer is used once, and not for long. */
  askAhead(paths: readonly string[]): void {
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

  /** The service has refused the token. */
  expire(): void {
    if (this.#state.status === 'in') this.#set({ status: 'expired', user: this.#state.user });
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

  /** Another tab has logged in, refreshed its token or logged out. */
  #takeOver(kept: Kept | null): void {
    if (kept === null) {
      if (this.#state.status !== 'out') this.#set({ status: 'out' });
      return;
    }
    const mine = userOf(this.#state)?.id;
    // Another user's session must not replace the one on this page.
    if (mine !== undefined && mine !== kept.user.id) {
      location.reload();
      return;
    }
    this.#expiresAt = kept.expiresAt;
    this.#set({ status: 'in', user: kept.user, token: kept.token });
  }

  #kept({ user, token }: { user: User; token: string }): Kept {
    return { user, token, expiresAt: this.#expiresAt };
  }

  #set(state: SessionState): void {
    if (state.status !== 'in' || userOf(this.#state)?.id !== state.user.id) this.#ahead.clear();
    this.#state = state;
    clearTimeout(this.#timer);
    if (state.status === 'in') {
      const wait = Math.max(1000, this.#expiresAt - Date.now() - refreshAhead);
      this.#timer = setTimeout(() => void this.#refresh(), Math.min(wait, longestTimer));
    }
    for (const listener of this.#listeners) listener();
  }

  /** One tab requests a fresh token and sends it to the others. A tab that already has a fresh one does nothing. */
  async #refresh(): Promise<void> {
    const refresh = async (): Promise<void> => {
      if (this.#state.status !== 'in' || this.#expiresAt - Date.now() > refreshAhead) return;
      const response = await this.fetch('/api/auth/refresh', { method: 'POST' });
      if (response.ok) this.begin((await response.json()) as LoginAnswer);
    };
    const locked = navigator.locks ? navigator.locks.request('session-refresh', refresh) : refresh();
    await locked.catch(() => {});
    if (this.#state.status === 'in' && this.#expiresAt - Date.now() <= refreshAhead) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#refresh(), 30_000);
    }
  }
}

const userOf = (state: SessionState): User | undefined =>
  state.status === 'in' || state.status === 'expired' ? state.user : undefined;

/** A request whose answer has the time of the server. @throws TooLate for a read without an answer */
async function timed(request: Request): Promise<Response> {
  const begin = performance.now();
  // Other requests can take long, and are not repeated lightly: they change something.
  const response = await (request.method === 'GET' ? inTime(fetch(request)) : fetch(request));
  learnTime(response, begin);
  return response;
}

export const session = new Session();
