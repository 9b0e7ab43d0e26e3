import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import type { Database } from '../../database/connection/connect.ts';
import { checkTimes, membershipsOf, membersOf, termsOf } from '../../database/exam-session-rules.ts';
import type { Caller } from '../../http/access/access.ts';
import { changeableClass, seesAllClasses } from '../classes/access-store.ts';
import { type ForecastSchema, maxClashes } from './schema.ts';
import { mayBeChosen } from './user-store.ts';

export type ForecastWindow = { opens_at: Date; closes_at: Date };
export type Forecast = Static<typeof ForecastSchema>;
type Clash = Forecast['clashes'][number];

/** How many containers exam sessions can need at once, and whose sessions are at the same time. */
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
   * are considered for clashes only.
   * @throws NotFoundError, ForbiddenError, InvalidError
   */
  async ofClass(caller: Caller, classId: number, window: ForecastWindow): Promise<Forecast> {
    checkTimes(window, 'query');
    await changeableClass(this.#db, caller, classId, undefined);
    return await this.#of(
      caller,
      sql`select user_id from class_members join users on users.id = user_id and is_active
        where class_id = ${classId} and class_members.role = 'student'`,
      window,
    );
  }

  /** The same for chosen students. Users whom the caller may not choose are not counted. @throws InvalidError */
  async ofChosen(caller: Caller, userIds: readonly number[], window: ForecastWindow): Promise<Forecast> {
    checkTimes(window, 'body');
    return await this.#of(
      caller,
      sql`select id as user_id from users where id = any(${userIds}::int[]) and is_active and ${mayBeChosen(caller)}`,
      window,
    );
  }

  async #of(
    caller: Caller,
    participants: RawBuilder<unknown>,
    { opens_at, closes_at }: ForecastWindow,
  ): Promise<Forecast> {
    const { rows } = await sql<Pick<Forecast, 'students' | 'others'>>`
      with participants as (${participants})
      select (select count(*)::int from participants) as students,
        (select count(distinct member.user_id)::int from exam_sessions as s
          join ${membersOf('s')} as member on member.role = 'student' and not member.is_hidden
          join users on users.id = member.user_id and is_active
          where s.opens_at < ${closes_at} and s.closes_at > ${opens_at}
            and member.user_id not in (select user_id from participants)) as others`.execute(this.#db);
    const isSeen = seesAllClasses(caller)
      ? sql<boolean>`true`
      : sql<boolean>`s.id in (select seen.session_id from ${membershipsOf(caller.id)} as seen where not seen.is_hidden)`;
    const clashes = await sql<Clash>`
      with participants as (${participants})
      select users.id as user_id, users.username, users.full_name, case when ${isSeen} then s.title end as session_title,
        coalesce(own.opens_at, s.opens_at) as opens_at, coalesce(own.closes_at, s.closes_at) as closes_at
      from exam_sessions as s
      join ${membersOf('s')} as member on member.role = 'student' and not member.is_hidden
      join participants on participants.user_id = member.user_id
      join users on users.id = member.user_id
      cross join ${termsOf('s', sql`member.user_id`)} as own
      where (s.opens_at < ${closes_at} and s.closes_at > ${opens_at}
          or exists (select from exam_accommodations where session_id = s.id and closes_at > ${opens_at}))
        and coalesce(own.opens_at, s.opens_at) < ${closes_at} and coalesce(own.closes_at, s.closes_at) > ${opens_at}
      order by lower(users.username), users.id, opens_at, s.id limit ${maxClashes}`.execute(this.#db);
    const { students = 0, others = 0 } = rows[0] ?? {};
    return { students, others, capacity: this.#capacity, clashes: clashes.rows };
  }
}
