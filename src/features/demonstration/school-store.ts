import type { Insertable, Transaction } from 'kysely';
import type { ActivityLogTable, Role, Tables } from '../../database/tables.ts';
import type { Hashes, Person, Plan, SchoolClass, Session } from './plan-store.ts';

export type Entry = Insertable<ActivityLogTable> & { created_at: Date };
/** The ids of what was written, and the entries that it leaves in the activity log. */
export type Written = {
  users: Map<string, number>;
  classes: Map<SchoolClass, number>;
  sessions: Map<Session, number>;
  entries: Entry[];
};

/** Writes accounts, classes and exam sessions. */
export async function writeSchool(
  trx: Transaction<Tables>,
  { classes, administrator, begin }: Plan,
  hashes: Hashes,
): Promise<Written> {
  const accounts = accountsOf(classes, administrator).map(({ person: { username, email, full_name }, role }) => ({
    ...{ username, email, full_name, role, password_hash: hashes[role], created_at: begin },
  }));
  const inserted = await trx.insertInto('users').values(accounts).returning(['id', 'username']).execute();
  const users = new Map(inserted.map(({ id, username }) => [username, id]));
  const classIds = new Map<SchoolClass, number>();
  const sessions = new Map<Session, number>();
  const entries: Entry[] = [...users].map(([title, id]) => ({
    ...{ user_id: id, actor_id: id, type: 'register', title, entity_type: 'user', entity_id: id, created_at: begin },
  }));
  for (const of of classes) {
    const actor_id = idOf(users, of.instructor.username);
    const class_id = await writeClass(trx, of, users, begin);
    classIds.set(of, class_id);
    const made = { type: 'class_create', title: of.name, entity_type: 'class', entity_id: class_id };
    entries.push({ ...made, actor_id, created_at: begin });
    for (const session of of.sessions) {
      const id = await writeSession(trx, session, class_id, users);
      sessions.set(session, id);
      const planned = { type: 'exam_session_create', title: session.title, entity_type: 'exam_session', entity_id: id };
      const details = JSON.stringify({ class: of.name });
      entries.push({ ...planned, actor_id, details, created_at: session.created_at });
    }
  }
  return { users, classes: classIds, sessions, entries };
}

const accountsOf = (classes: readonly SchoolClass[], administrator: Person): { person: Person; role: Role }[] => [
  { person: administrator, role: 'admin' },
  ...classes.map(({ instructor }) => ({ person: instructor, role: 'instructor' as const })),
  ...classes.flatMap(({ assistant, students }) =>
    [...(assistant ? [assistant] : []), ...students].map((person) => ({ person, role: 'student' as const })),
  ),
];

async function writeClass(
  trx: Transaction<Tables>,
  { name, description, courseIds, instructor, assistant, students }: SchoolClass,
  users: Written['users'],
  created_at: Date,
): Promise<number> {
  const { id: class_id } = await trx
    .insertInto('classes')
    .values({ name, description, created_at })
    .returning('id')
    .executeTakeFirstOrThrow();
  const roles = [
    { role: 'instructor' as const, people: [instructor] },
    { role: 'assistant' as const, people: assistant ? [assistant] : [] },
    { role: 'student' as const, people: students },
  ];
  const members = roles.flatMap(({ role, people }) =>
    people.map(({ username }) => ({ class_id, user_id: idOf(users, username), role, joined_at: created_at })),
  );
  await trx.insertInto('class_members').values(members).execute();
  if (courseIds.length > 0) {
    const courses = courseIds.map((course_id) => ({ class_id, course_id }));
    await trx.insertInto('class_courses').values(courses).execute();
  }
  return class_id;
}

async function writeSession(
  trx: Transaction<Tables>,
  { exam, accommodations, awaited: _awaited, ...session }: Session,
  class_id: number,
  users: Written['users'],
): Promise<number> {
  const { id } = await trx
    .insertInto('exam_sessions')
    .values({ ...session, exam_id: exam.id, class_id, max_attempts: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (accommodations.length > 0) {
    const rows = accommodations.map(({ student, time_factor, closes_at }) => ({
      ...{ session_id: id, user_id: idOf(users, student.username), time_factor, closes_at },
    }));
    await trx.insertInto('exam_accommodations').values(rows).execute();
  }
  return id;
}

export function idOf(users: Written['users'], username: string): number {
  const id = users.get(username);
  if (id === undefined) throw new Error(`${username} was not written`);
  return id;
}
