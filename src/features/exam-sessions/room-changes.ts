import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../http/access/access.ts';
import { type RoomSession, type RoomStudent, type StudentInRoom, seenBy } from './room-store.ts';

/** Whether a terminal of a student is open. */
type Connection = { is_connected: boolean };
/** A session, and everybody in it. */
export type Room = { session: RoomSession; students: (StudentInRoom & Connection)[] };
/** What is new in a room. `gone` are the ids of users who are no longer in it. */
export type RoomChange = { session?: RoomSession; students: Room['students']; gone: number[] };

/** A room, or what is new in it, as the reader may see it. */
export const shownTo = <Part extends { students: Room['students'] }>(
  reader: Pick<Caller, 'role'>,
  part: Part,
): Omit<Part, 'students'> & { students: (RoomStudent & Connection)[] } => ({
  ...part,
  students: part.students.map((student) => seenBy(reader, student)),
});

/** @returns undefined without a difference */
export function differencesOf(before: Room, now: Room): RoomChange | undefined {
  const known = new Map(before.students.map((student) => [student.user_id, student]));
  const students = now.students.filter((student) => !isDeepStrictEqual(known.get(student.user_id), student));
  const present = new Set(now.students.map(({ user_id }) => user_id));
  const gone = [...known.keys()].filter((id) => !present.has(id));
  const isChanged = !isDeepStrictEqual(before.session, now.session);
  if (!isChanged && students.length === 0 && gone.length === 0) return undefined;
  return { ...(isChanged ? { session: now.session } : {}), students, gone };
}

/** A room after a new read of some of its students. @returns undefined unless these are the same students as before */
export function withStudents(room: Room, userIds: ReadonlySet<number>, students: Room['students']): Room | undefined {
  const now = new Map(students.map((student) => [student.user_id, student]));
  if (now.size !== userIds.size) return undefined;
  const known = room.students.filter(({ user_id }) => now.has(user_id));
  if (known.length !== now.size) return undefined;
  return { ...room, students: room.students.map((student) => now.get(student.user_id) ?? student) };
}
