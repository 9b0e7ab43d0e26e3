import { type Selectable, sql, type Transaction } from 'kysely';
import { isHeld } from '../../../database/attempt-status.ts';
import type { Database } from '../../../database/connection/connect.ts';
import type { Tables, TaskAnswersTable } from '../../../database/tables.ts';

export type AnswerRow = Selectable<TaskAnswersTable>;
/** The parts that a saved answer has. The others are empty. */
export type SavedAnswer = Partial<Pick<AnswerRow, 'choice_ids' | 'text' | 'file_name' | 'file_bytes'>>;
export type AnswerFile = { name: string; content: Buffer };
type Key = Pick<AnswerRow, 'attempt_id' | 'task_id'>;

/** Whether there is something to grade. */
export const isAnswered = (answer: SavedAnswer | undefined): boolean =>
  (answer?.text ?? '').trim() !== '' || answer?.file_name != null || (answer?.choice_ids ?? []).length > 0;

const nothing = { choice_ids: null, text: null, file_name: null, file_bytes: null };
/** Bytes of a part of a file. A backup has a hundred parts in memory at first, in hexadecimal digits. */
const partBytes = 128 * 1024;

/** What students answer. An answer is overwritten until the end of its attempt, and then stays as it is. */
export class AnswerStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async of(attemptId: number): Promise<AnswerRow[]> {
    return await this.#db.selectFrom('task_answers').selectAll().where('attempt_id', '=', attemptId).execute();
  }

  /**
   * Saves an answer in the place of the one before. Only the user of the attempt answers, while it is in progress: not before its clock
   * starts, while that stands still, nor from the deadline on. A check of a laboratory does not hold it up.
   * @returns undefined where nothing was saved
   */
  async save(userId: number, key: Key, answer: SavedAnswer | AnswerFile): Promise<AnswerRow | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      // A submission waits for an answer that is being saved.
      const attempts = trx
        .selectFrom('attempts')
        .select('id')
        .where('id', '=', key.attempt_id)
        .where('user_id', '=', userId);
      const open = await attempts
        .where(sql<boolean>`(status = 'in_progress' or status = 'grading' and submitted_at is null)`)
        .where(sql<boolean>`(expires_at is null or expires_at > clock_timestamp()) and not ${isHeld}`)
        .forShare()
        .executeTakeFirst();
      return open && (await write(trx, key, answer));
    });
  }

  /** Saves a file that was taken from the machine of an attempt which is graded now. Undefined: there is none any more. */
  async saveCollected(key: Key, file: AnswerFile | undefined): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      if (file) return void (await write(trx, key, file));
      const answers = trx.deleteFrom('task_answers').where('attempt_id', '=', key.attempt_id);
      await answers.where('task_id', '=', key.task_id).execute();
    });
  }

  /** Reads the parts of a file, one after another. */
  async *file({ attempt_id, task_id }: Key): AsyncGenerator<Buffer> {
    for (let part = 0; ; part += 1) {
      const rows = this.#db.selectFrom('task_answer_parts').select('content').where('attempt_id', '=', attempt_id);
      const row = await rows.where('task_id', '=', task_id).where('part', '=', part).executeTakeFirst();
      if (!row) return;
      yield row.content;
    }
  }

  /** Whether the clock of the attempt stands still. */
  async isHeld(attemptId: number): Promise<boolean> {
    const held = this.#db.selectFrom('attempts').select('id').where('id', '=', attemptId).where(isHeld);
    return (await held.executeTakeFirst()) !== undefined;
  }
}

async function write(trx: Transaction<Tables>, key: Key, answer: SavedAnswer | AnswerFile): Promise<AnswerRow> {
  const isFile = 'content' in answer;
  const fields = isFile ? { file_name: answer.name, file_bytes: answer.content.length } : answer;
  const values = { ...nothing, ...fields };
  const row = await trx
    .insertInto('task_answers')
    .values({ ...key, ...values })
    .onConflict((conflict) =>
      conflict.columns(['attempt_id', 'task_id']).doUpdateSet({ ...values, saved_at: sql<Date>`now()` }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  const parts = trx.deleteFrom('task_answer_parts').where('attempt_id', '=', key.attempt_id);
  await parts.where('task_id', '=', key.task_id).execute();
  const { content } = isFile ? answer : { content: Buffer.alloc(0) };
  for (let part = 0; part * partBytes < content.length; part += 1) {
    const piece = content.subarray(part * partBytes, (part + 1) * partBytes);
    await trx
      .insertInto('task_answer_parts')
      .values({ ...key, part, content: piece })
      .execute();
  }
  return row;
}
