import { found } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { Hand, HandStore, NewHand } from './hand-store.ts';

export type HelpParts = {
  hands: HandStore;
  lessons: { titlesOf: (caller: Caller, ids: readonly number[]) => Promise<ReadonlyMap<number, string>> };
  /** Sends a message to a student of an exam session. @throws NotFoundError, ForbiddenError */
  message: (caller: Caller, sessionId: number, text: string, userId: number) => Promise<unknown>;
};

/** Students ask for help, and the staff answer. */
export class HelpService {
  readonly #parts: HelpParts;

  constructor(parts: HelpParts) {
    this.#parts = parts;
  }

  /** @param theme_id the lesson beside a sandbox @throws as the store, NotFoundError for a lesson that the caller does not see */
  async raise(caller: Caller, { theme_id, ...hand }: Omit<NewHand, 'lesson'> & { theme_id?: number }): Promise<Hand> {
    const { hands, lessons } = this.#parts;
    if (theme_id === undefined) return await hands.raise(caller, hand);
    const title = found((await lessons.titlesOf(caller, [theme_id])).get(theme_id), 'Theme');
    return await hands.raise(caller, { ...hand, lesson: { id: theme_id, title } });
  }

  /** The answer in an exam session is a message of its room, otherwise it is read at the hand. @throws as the store, ForbiddenError */
  async close(caller: Caller, id: number, answer?: string): Promise<void> {
    const { hands, message } = this.#parts;
    const { session_id, user_id } = await hands.one(caller, id);
    const isMessage = session_id !== null && user_id !== caller.id && answer !== undefined;
    if (isMessage) await message(caller, session_id, answer, user_id);
    await hands.close(caller, id, isMessage || user_id === caller.id ? undefined : answer);
  }
}
