import type { TerminalClient } from '../client.ts';
import type { TypingAct, TypingEnd } from '../protocol.ts';

/** Whom the two see and the recording names. */
export type TypingNames = { helper: string; user: string };

export type TypingParts = {
  /** The client of the user of the shell. */
  user: () => TerminalClient | undefined;
  /** Whether nothing is typed now, because the clock is stopped. */
  isHeld: () => boolean;
  /** The names, where a watcher may type along now. Asked again for each input. */
  names: (helper: TerminalClient) => Promise<TypingNames | undefined>;
  /** Records in the activity log that a watcher begins to type along, or has ended. */
  log: (helper: TerminalClient, seconds: number | undefined) => Promise<void>;
  /** Marks the recording of the terminal. */
  mark: (text: string) => void;
  /** Types into the shell. Resolves when the shell takes more. */
  write: (bytes: Buffer) => Promise<void>;
  onError: (error: unknown) => void;
};

/** Milliseconds that a question waits for its answer. */
const patience = 60_000;

/**
 * One watcher types along with the user of a shell, who has consented to it. Its modes:
 *
 * - idle: nobody asks.
 * - asked: a watcher has asked, and the user has not answered. A second watcher is refused.
 * - active: the user has consented. Both type.
 *
 * A consent is for these two connections: the loss of either ends it, as do both of them, a stopped clock and the end of the shell.
 */
export class TypingAlong {
  readonly #parts: TypingParts;
  #helper: TerminalClient | undefined;
  /** Undefined while a new question is examined. */
  #names: TypingNames | undefined;
  /** By the monotonic clock. Undefined: it is not active. */
  #since: number | undefined;
  #isAllowing = false;
  /** Who typed last. */
  #typist: TerminalClient | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** What is still on its way when it ends was typed with the consent, and is dropped. Other input of watchers is refused. */
  readonly #former = new WeakSet<TerminalClient>();
  #inputs: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(parts: TypingParts) {
    this.#parts = parts;
  }

  /** Follows a message of a client. */
  follow(client: TerminalClient, act: TypingAct): void {
    const isUser = client === this.#parts.user();
    if (act === 'ask_to_type') void this.#ask(client, isUser);
    else if (act === 'end_typing' && (isUser || client === this.#helper))
      this.end(this.#since === undefined ? 'withdrawn' : 'ended');
    else if (!isUser || !this.#names) return;
    else if (act === 'allow_typing') void this.#allow(client);
    else if (act === 'refuse_typing' && this.#since === undefined) this.end('refused');
  }

  /** Input of a watcher. @returns false where it was never allowed */
  input(client: TerminalClient, bytes: Buffer): boolean {
    if (client !== this.#helper || this.#since === undefined) return this.#former.has(client);
    this.#waiting += 1;
    client.socket.pause();
    this.#inputs = this.#inputs
      .then(() => this.#pass(client, bytes))
      .catch((error: unknown) => {
        this.#parts.onError(error);
        if (client === this.#helper) this.end('failed');
      })
      .finally(() => {
        this.#waiting -= 1;
        if (this.#waiting === 0) client.socket.resume();
      });
    return true;
  }

  /** Somebody types now. Both see who. */
  typed(client: TerminalClient): void {
    if (this.#since === undefined || !this.#names || client === this.#typist) return;
    this.#typist = client;
    this.#parts.mark(`${client === this.#helper ? this.#names.helper : this.#names.user} types`);
    this.#notify('active');
  }

  /** A client has left. */
  leave(client: TerminalClient, wasUser: boolean): void {
    if (client === this.#helper || (wasUser && this.#names)) this.end('left');
  }

  end(reason: TypingEnd): void {
    const [helper, names, since] = [this.#helper, this.#names, this.#since];
    if (!helper) return;
    clearTimeout(this.#timer);
    if (names) this.#notify('ended', reason);
    [this.#helper, this.#names, this.#since, this.#typist] = [undefined, undefined, undefined, undefined];
    if (since === undefined || !names) return;
    this.#former.add(helper);
    this.#parts.mark(`${names.helper} no longer types along`);
    this.#parts.log(helper, Math.round((performance.now() - since) / 1000)).catch(this.#parts.onError);
  }

  async #ask(client: TerminalClient, isUser: boolean): Promise<void> {
    const { names: examine, isHeld, onError } = this.#parts;
    const user = this.#parts.user();
    const refuse = (reason: TypingEnd): void =>
      client.answer({ type: 'typing_along', state: 'ended', name: null, is_typing: false, reason });
    if (isUser) client.answer({ type: 'error', detail: 'This terminal is your own' });
    else if (this.#helper && client !== this.#helper) refuse('busy');
    else if (isHeld()) refuse('held');
    else if (!user?.isOpen || !user.hasMessages) refuse('away');
    else if (!this.#helper) {
      this.#helper = client;
      let names: TypingNames | undefined;
      let reason: TypingEnd = 'not_allowed';
      try {
        names = await examine(client);
      } catch (error) {
        onError(error);
        reason = 'failed';
      }
      if (this.#helper !== client) return;
      if (names && this.#parts.user() === user) {
        this.#names = names;
        this.#timer = setTimeout(() => this.end('unanswered'), patience).unref();
        this.#notify('asked');
        return;
      }
      this.#helper = undefined;
      refuse(names ? 'away' : reason);
    }
  }

  async #allow(user: TerminalClient): Promise<void> {
    const helper = this.#helper;
    if (!helper || this.#since !== undefined || this.#isAllowing) return;
    const { names: examine, log, mark, onError } = this.#parts;
    this.#isAllowing = true;
    const isWaiting = (): boolean => this.#helper === helper && this.#parts.user() === user;
    try {
      const names = await examine(helper);
      if (names && isWaiting()) await log(helper, undefined);
      if (!isWaiting()) return;
      if (!names) {
        this.end('not_allowed');
        return;
      }
      clearTimeout(this.#timer);
      [this.#names, this.#since] = [names, performance.now()];
      mark(`${names.helper} types along, as ${names.user} has allowed`);
      this.#notify('active');
    } catch (error) {
      onError(error);
      if (isWaiting()) this.end('failed');
    } finally {
      this.#isAllowing = false;
    }
  }

  async #pass(helper: TerminalClient, bytes: Buffer): Promise<void> {
    if (helper !== this.#helper || this.#since === undefined) return;
    const names = await this.#parts.names(helper);
    if (helper !== this.#helper) return;
    if (!names) {
      this.end('not_allowed');
      return;
    }
    this.typed(helper);
    await this.#parts.write(bytes);
  }

  /** Each of the two sees the name of the other. */
  #notify(state: 'asked' | 'active' | 'ended', reason: TypingEnd | null = null): void {
    const [helper, user, names] = [this.#helper, this.#parts.user(), this.#names];
    if (!names) return;
    const type = 'typing_along';
    const isActive = state === 'active';
    const typist = isActive ? this.#typist : undefined;
    const isTyping = (one: TerminalClient | undefined): boolean => one !== undefined && one === typist;
    helper?.notify({ type, state, name: names.user, is_typing: isTyping(user), reason });
    user?.notify({ type, state, name: names.helper, is_typing: isTyping(helper), reason });
  }
}
