import { sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import { Invalid } from '../../errors.ts';
import type { Caller } from '../../http/access.ts';
import { changeableClass } from '../classes/access-store.ts';

export type ForecastWindow = { class_id: number; opens_at: Date; closes_at: Date };
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
   * For a session of a class that is planned: its students, and those of other sessions that are open at that time. Own windows of students
   * are not considered.
   * @throws NotFound, Forbidden, Invalid
   */
  async of(caller: Caller, { class_id, opens_at, closes_at }: ForecastWindow): Promise<Forecast> {
    if (opens_at.getTime() >= closes_at.getTime()) {
      const msg = 'Value error, the session must close after it opens';
      throw new Invalid([{ loc: ['query', 'closes_at'], msg, type: 'value_error' }]);
    }
    await changeableClass(this.#db, caller, class_id, undefined);
    const { rows } = await sql<Omit<Forecast, 'capacity'>>`
      with own as (select user_id from class_members join users on users.id = user_id and is_active
        where class_id = ${class_id} and class_members.role = 'student')
      select (select count(*)::int from own) as students,
        (select count(distinct member.user_id)::int from exam_sessions as s
          join classes on classes.id = s.class_id and not is_archived
          join class_members as member on member.class_id = s.class_id and member.role = 'student'
          join users on users.id = member.user_id and is_active
          where s.opens_at < ${closes_at} and s.closes_at > ${opens_at}
            and member.user_id not in (select user_id from own)) as others`.execute(this.#db);
    return { students: rows[0]?.students ?? 0, others: rows[0]?.others ?? 0, capacity: this.#capacity };
  }
}
