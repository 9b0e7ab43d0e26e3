import { type Selectable, sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import type { ClassRole, ExamSessionsTable } from '../../database/tables.ts';
import { NotFound } from '../../errors.ts';
import type { Caller } from '../../http/access.ts';
import { changeableClass, type OwnClass, seenClass, supervisedClass } from '../classes/access-store.ts';

export type SessionRow = Selectable<ExamSessionsTable>;
/** A session, and the class as the caller sees it. */
export type OwnSession = { session: SessionRow; of: OwnClass };

export const noSession = (): NotFound => new NotFound('not_found', 'Exam session not found');

/** Students do not see the sessions of an archived class, as they do not see its courses. */
const isHidden = (caller: Caller, { is_archived, my_role }: { is_archived: boolean; my_role: ClassRole | null }) =>
  is_archived && caller.role === 'student' && (my_role ?? 'student') === 'student';

/** @throws NotFound */
export async function seenSession(db: Database, caller: Caller, id: number): Promise<OwnSession> {
  const own = await read(db, caller, id, seenClass, false);
  if (isHidden(caller, own.of)) throw noSession();
  return own;
}

/** The same for those who supervise the class. @throws NotFound, Forbidden */
export async function supervisedSession(db: Database, caller: Caller, id: number): Promise<OwnSession> {
  return await read(db, caller, id, supervisedClass, false);
}

/** The same for a change: no attempt starts and nothing else changes meanwhile. @throws NotFound, Forbidden */
export async function changeableSession(db: Database, caller: Caller, id: number): Promise<OwnSession> {
  return await read(db, caller, id, (trx, user, classId) => changeableClass(trx, user, classId, 'share'), true);
}

async function read(
  db: Database,
  caller: Caller,
  id: number,
  check: (db: Database, caller: Caller, classId: number) => Promise<OwnClass>,
  isLocked: boolean,
): Promise<OwnSession> {
  const found = await db.selectFrom('exam_sessions').select('class_id').where('id', '=', id).executeTakeFirst();
  if (!found) throw noSession();
  const of = await check(db, caller, found.class_id).catch((error: unknown) => {
    throw error instanceof NotFound ? noSession() : error;
  });
  const lock = isLocked ? sql`for no key update` : sql``;
  const { rows } = await sql<SessionRow>`select * from exam_sessions where id = ${id} ${lock}`.execute(db);
  const [session] = rows;
  if (!session) throw noSession();
  return { session, of };
}
