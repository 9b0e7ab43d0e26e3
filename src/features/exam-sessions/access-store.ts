import { type Selectable, sql } from 'kysely';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import { membershipsOf } from '../../database/exam-session-rules.ts';
import type { ClassRole, ExamSessionsTable } from '../../database/tables.ts';
import { ForbiddenError, NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import {
  accommodatedClass,
  changeableClass,
  controllableClass,
  isSupervisor,
  mayChange,
  type OwnClass,
  seenClass,
  seesAllClasses,
  supervisedClass,
} from '../classes/access-store.ts';

export type SessionRow = Selectable<ExamSessionsTable>;
/** Who takes part in a session: a class, or chosen students, with the role of the caller. */
export type Participants = { class: Pick<OwnClass, 'id' | 'name'> | null; my_role: ClassRole | null };
/** A session, and its participants as the caller sees them. */
export type OwnSession = { session: SessionRow; of: Participants };

type Right = 'seen' | 'supervised' | 'accommodated' | 'controlled' | 'changed';

export const noSession = (): NotFoundError => new NotFoundError('not_found', 'Exam session not found');

/** Students do not see the sessions of an archived class, as they do not see its courses. @throws NotFoundError */
export async function seenSession(db: Database, caller: Caller, id: number): Promise<OwnSession> {
  return await read(db, caller, id, 'seen');
}

/** The same for those who supervise it. @throws NotFoundError, ForbiddenError */
export async function supervisedSession(db: Database, caller: Caller, id: number): Promise<OwnSession> {
  return await read(db, caller, id, 'supervised');
}

/** The same for reading the accommodations. @throws NotFoundError, ForbiddenError */
export async function accommodatedSession(db: Database, caller: Caller, id: number): Promise<OwnSession> {
  return await read(db, caller, id, 'accommodated');
}

/** The same for acting while it runs: no attempt starts and nothing else changes meanwhile. @throws NotFoundError, ForbiddenError */
export async function controllableSession(db: Database, caller: Caller, id: number): Promise<OwnSession> {
  return await read(db, caller, id, 'controlled');
}

/** The same for a change of what was planned: no attempt starts and nothing else changes meanwhile. @throws NotFoundError, ForbiddenError */
export async function changeableSession(db: Database, caller: Caller, id: number): Promise<OwnSession> {
  return await read(db, caller, id, 'changed');
}

async function read(db: Database, caller: Caller, id: number, right: Right): Promise<OwnSession> {
  const found = await db.selectFrom('exam_sessions').select('class_id').where('id', '=', id).executeTakeFirst();
  if (!found) throw noSession();
  // The class is locked before the session.
  const ofClass = found.class_id === null ? undefined : await participantsOfClass(db, caller, found.class_id, right);
  const lock = right === 'changed' || right === 'controlled' ? sql`for no key update` : sql``;
  const { rows } = await sql<SessionRow>`select * from exam_sessions where id = ${id} ${lock}`.execute(db);
  const [session] = rows;
  if (!session) throw noSession();
  if (right !== 'seen') await checkIsNotTaking(db, caller, id);
  return { session, of: ofClass ?? (await chosenParticipants(db, caller, id, right)) };
}

/** A student who supervises and takes the exam as well does not do both at once. @throws ForbiddenError */
async function checkIsNotTaking(db: Database, caller: Caller, sessionId: number): Promise<void> {
  if (caller.role !== 'student') return;
  const own = db
    .selectFrom('attempts')
    .select('id')
    .where('session_id', '=', sessionId)
    .where('user_id', '=', caller.id);
  if (await own.where(statusSql.isUnfinished()).executeTakeFirst())
    throw new ForbiddenError('forbidden', 'Nobody supervises an exam session while taking the exam in it');
}

/** @throws NotFoundError for the session, ForbiddenError */
async function participantsOfClass(db: Database, caller: Caller, id: number, right: Right): Promise<Participants> {
  try {
    const { my_role, is_archived, ...of } = await classChecks[right](db, caller, id);
    const isHidden = is_archived && caller.role === 'student' && (my_role ?? 'student') === 'student';
    if (right === 'seen' && isHidden) throw noSession();
    return { class: of, my_role };
  } catch (error) {
    throw error instanceof NotFoundError ? noSession() : error;
  }
}

const classChecks = {
  seen: seenClass,
  supervised: supervisedClass,
  accommodated: accommodatedClass,
  controlled: controllableClass,
  changed: (db: Database, caller: Caller, id: number) => changeableClass(db, caller, id, 'share'),
};

/** Those of a session without a class. The membership is read after the session is locked. @throws NotFoundError, ForbiddenError */
async function chosenParticipants(db: Database, caller: Caller, id: number, right: Right): Promise<Participants> {
  const { rows } = await sql<{ role: ClassRole }>`select role from ${membershipsOf(caller.id)} as member
    where session_id = ${id}`.execute(db);
  const of: Participants = { class: null, my_role: rows[0]?.role ?? null };
  if (of.my_role === null && !seesAllClasses(caller)) throw noSession();
  // Those who supervise chosen students are no students, see `membershipsOf`.
  if ((right === 'supervised' || right === 'accommodated') && !isSupervisor(caller, of))
    throw new ForbiddenError('forbidden', 'Only instructors of the exam session may do this');
  if ((right === 'changed' || right === 'controlled') && !mayChange(caller, of))
    throw new ForbiddenError('forbidden', 'Only instructors of the exam session and administrators may do this');
  return of;
}

/** A student of a session, also of an archived class. */
export async function isStudentOf(db: Database, sessionId: number, userId: number): Promise<boolean> {
  const { rows } = await sql`select from ${membershipsOf(userId)} as member
    where session_id = ${sessionId} and role = 'student'`.execute(db);
  return rows.length > 0;
}
