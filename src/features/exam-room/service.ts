import type { Caller } from '../../http/access/access.ts';
import type { MovedAttempt } from '../exam-sessions/deadline-store.ts';
import type { ExamSessionStore } from '../exam-sessions/store.ts';
import type { SessionControlStore } from './control-store.ts';
import type { MessageStore, SessionMessage } from './message-store.ts';
import type { SilentCheckStore } from './silent-check-store.ts';

export type ExamRoomParts = {
  sessions: Pick<ExamSessionStore, 'get'>;
  control: SessionControlStore;
  messages: Pick<MessageStore, 'send'>;
  silentChecks: Pick<SilentCheckStore, 'begin' | 'end'>;
  /** Delivers a message to the terminals, in all processes. */
  deliver: (messageId: number) => void;
  /** Called when the tokens of a user are no longer valid. */
  onUnlock: (userId: number) => void;
  /** Called for each attempt whose deadline or break has moved, to schedule its end at the new time. */
  onMoved: (attempt: MovedAttempt) => void;
};

type Session = ReturnType<ExamSessionStore['get']>;

/** What staff do in a session while students are in it, and after it. */
export class ExamRoomService {
  readonly #parts: ExamRoomParts;

  constructor(parts: ExamRoomParts) {
    this.#parts = parts;
  }

  /** @throws NotFoundError, ForbiddenError, ConflictError */
  async release(caller: Caller, id: number): Session {
    await this.#parts.control.release(caller, id);
    return await this.#parts.sessions.get(caller, id);
  }

  /** @throws NotFoundError, ForbiddenError, ConflictError */
  async pause(caller: Caller, id: number): Session {
    await this.#parts.control.pause(caller, id);
    return await this.#parts.sessions.get(caller, id);
  }

  /** @throws NotFoundError, ForbiddenError, ConflictError */
  async resume(caller: Caller, id: number): Session {
    this.#schedule(await this.#parts.control.resume(caller, id));
    return await this.#parts.sessions.get(caller, id);
  }

  /** @throws NotFoundError, ForbiddenError, ConflictError */
  async extend(caller: Caller, id: number, minutes: number, userId?: number): Session {
    this.#schedule(await this.#parts.control.extend(caller, id, minutes, userId));
    return await this.#parts.sessions.get(caller, id);
  }

  /** @throws NotFoundError, ForbiddenError, ConflictError */
  async end(caller: Caller, id: number, userId?: number): Session {
    this.#schedule(await this.#parts.control.end(caller, id, userId));
    return await this.#parts.sessions.get(caller, id);
  }

  /** @throws NotFoundError, ForbiddenError, ConflictError */
  async endBreak(caller: Caller, id: number, userId: number): Promise<void> {
    this.#schedule(await this.#parts.control.endBreak(caller, id, userId));
  }

  /** A locked student may log in once more, elsewhere. @throws NotFoundError, ForbiddenError */
  async unlock(caller: Caller, id: number, userId: number): Promise<void> {
    await this.#parts.control.unlock(caller, id, userId);
    this.#parts.onUnlock(userId);
  }

  /** @throws NotFoundError, ForbiddenError */
  async message(caller: Caller, id: number, text: string, userId?: number): Promise<SessionMessage> {
    const { messages, deliver } = this.#parts;
    const message = await messages.send(caller, id, text, userId);
    deliver(message.id);
    return message;
  }

  /** The checks run silently at this interval from now on. @throws NotFoundError, ForbiddenError, ConflictError unless it is open */
  async checkSilently(caller: Caller, id: number, minutes: number): Promise<void> {
    await this.#parts.silentChecks.begin(caller, id, minutes);
  }

  /** @throws NotFoundError, ForbiddenError */
  async endSilentChecks(caller: Caller, id: number): Promise<void> {
    await this.#parts.silentChecks.end(caller, id);
  }

  #schedule(moved: readonly MovedAttempt[]): void {
    for (const attempt of moved) this.#parts.onMoved(attempt);
  }
}
