import { sql, type Transaction } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { Tables } from '../../database/tables.ts';
import { accommodatedClass, changeableClass, type OwnClass } from '../classes/access-store.ts';
import { type Accommodated, AccommodationStore } from './accommodation-store.ts';
import { type MovedAttempt, moveDeadlines } from './deadline-store.ts';

type Fields = {
  time_factor: number;
  extra_attempts: number;
  /** Of each attempt. Null: none. */
  break_minutes: number | null;
};
export type ClassAccommodation = Accommodated<Fields>;
export type ClassAccommodationFields = Partial<Fields>;
export type ClassAccommodationStore = AccommodationStore<Fields, OwnClass>;

/** The differences of all sessions of a class for single students. */
export const classAccommodationStore = (db: Database): ClassAccommodationStore =>
  new AccommodationStore(db, {
    table: 'class_accommodations',
    column: 'class_id',
    fields: ['time_factor', 'extra_attempts', 'break_minutes'],
    seen: accommodatedClass,
    changeable: async (trx, caller, id) => await changeableClass(trx, caller, id, 'share'),
    isStudent,
    log: async (trx, { id: actorId }, { id, name: title }, { action, userId, details }) => {
      const type = `class_accommodation_${action}`;
      await logActivity(trx, { actorId, userId, type, title, entityType: 'class', entityId: id, details });
    },
    move,
  });

/** The membership holds until the end of the transaction. */
async function isStudent(trx: Transaction<Tables>, classId: number, userId: number): Promise<boolean> {
  const member = await trx
    .selectFrom('class_members')
    .select('user_id')
    .where('class_id', '=', classId)
    .where('user_id', '=', userId)
    .where('role', '=', 'student')
    .forKeyShare()
    .executeTakeFirst();
  return member !== undefined;
}

/** In all sessions of the class. */
async function move(trx: Transaction<Tables>, classId: number, userId: number): Promise<MovedAttempt[]> {
  const { rows } = await sql<{ id: number }>`select id from exam_sessions where class_id = ${classId}
    and exists (select from attempts where session_id = exam_sessions.id and user_id = ${userId}
      and ${statusSql.isRunning()})
    order by id for no key update`.execute(trx);
  const moved: MovedAttempt[] = [];
  for (const { id } of rows) moved.push(...(await moveDeadlines(trx, id, userId)));
  return moved;
}
