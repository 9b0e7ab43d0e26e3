import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import { checkTimes, membersOf } from '../../database/exam-session-rules.ts';
import type { Caller } from '../../http/access/access.ts';
import { changeableClass } from '../classes/access-store.ts';
import { mayBeChosen } from './user-store.ts';

export type ForecastWindow = { opens_at: Date; closes_at: Date };
export type Forecast = { students: number; others: number; capacity: number };

/** How many containers exam sessions can need at once. */
export class ForecastStore {
  readonly #db: Database;
  readonly #capacity: number;

  /** @param capacity containers that the service runs at once */
  constructor(db: Database, capacity: number) {
    this.#db = db;
    this.#capacity = capacity;
  }

  /**
   * For a session that is planned for a class: its students, and those of other sessions that are open at that time. Own windows of students
   * are not considered.
   * @throws NotFoundError, ForbiddenError, InvalidError
   */
  async ofClass(caller: Caller, classId: number, window: ForecastWindow): Promise<Forecast> {
    checkTimes(window, 'query');
    await changeableClass(this.#db, caller, classId, undefined);
    return await this.#of(
      sql`select user_id from class_members join users on users.id = user_id and is_active
        where class_id = ${classId} and class_members.role = 'student'`,
      window,
    );
  }

  /** The same for chosen students. Users whom the caller may not choose are not counted. @throws InvalidError */
  async ofChosen(caller: Caller, userIds: readonly number[], window: ForecastWindow): Promise<Forecast> {
    checkTimes(window, 'body');
    return await this.#of(
      sql`select id as user_id from users where id = any(${userIds}::int[]) and is_active and ${mayBeChosen(caller)}`,
      window,
    );
  }

  async #of(own: RawBuilder<unknown>, { opens_at, closes_at }: ForecastWindow): Promise<Forecast> {
    const { rows } = await sql<Omit<Forecast, 'capacity'>>`
      with own as (${own})
      select (select count(*)::int from own) as students,
        (select count(distinct member.user_id)::int from exam_sessions as s
          join ${membersOf('s')} as member on member.role = 'student' and not member.is_hidden
          join users on users.id = member.user_id and is_active
          where s.opens_at < ${closes_at} and s.closes_at > ${opens_at}
            and member.user_id not in (select user_id from own)) as others`.execute(this.#db);
    return { students: rows[0]?.students ?? 0, others: rows[0]?.others ?? 0, capacity: this.#capacity };
  }
}
