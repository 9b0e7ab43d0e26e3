import { type Insertable, sql, type Transaction } from 'kysely';
import type { Database } from '../../src/database/connection/connect.ts';
import type { ActivityLogTable, Role, Tables } from '../../src/database/tables.ts';
import {
  type Announcement,
  type Attempt,
  type Catalogue,
  type Exam,
  emailDomain,
  type Hashes,
  type Laboratory,
  type Person,
  type Plan,
  type Reading,
  type SchoolClass,
  type Session,
  type Theme,
} from './plan.ts';

/** Accounts with which to log in. */
export type Accounts = { instructors: string[]; assistants: string[]; student: string };

const hasUsers =
  'This installation has users, so it gets no demonstration data: use another data folder (DATA_DIR) or database (DATABASE_URL)';

/** The data of a demonstration, in the tables of the other features. */
export class DemonstrationStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async isFilled(): Promise<boolean> {
    const row = await this.#db.selectFrom('installation').select('is_demonstration').executeTakeFirstOrThrow();
    return row.is_demonstration;
  }

  /** @throws Error where there is any user */
  async checkEmpty(): Promise<void> {
    if (await this.#db.selectFrom('users').select('id').limit(1).executeTakeFirst()) throw new Error(hasUsers);
  }

  async catalogue(): Promise<Catalogue> {
    return await readCatalogue(this.#db);
  }

  /**
   * In one transaction, which also marks the installation.
   * @throws Error where there is any user
   * @returns the ids of the exam sessions, in the order of the plan
   */
  async write(plan: Plan, hashes: Hashes): Promise<number[]> {
    return await this.#db.transaction().execute(async (trx) => {
      // No user can be created before the end of the transaction.
      await sql`lock table users in share row exclusive mode`.execute(trx);
      await new DemonstrationStore(trx).checkEmpty();
      const written = await writeSchool(trx, plan, hashes);
      written.entries.push(...(await writeAnnouncements(trx, plan.announcements, written)));
      await writeWork(trx, plan, written);
      await trx.updateTable('installation').set({ is_demonstration: true }).execute();
      return [...written.sessions.values()];
    });
  }

  /** Those of the accounts that the demonstration has made. */
  async setPasswords(administrator: string, hashes: Hashes): Promise<void> {
    for (const [role, password_hash] of Object.entries(hashes) as [Role, string][]) {
      await this.#db
        .updateTable('users')
        .set({ password_hash })
        .where('role', '=', role)
        .where(({ or, eb }) => or([eb('email', 'like', `%@${emailDomain}`), eb('username', '=', administrator)]))
        .execute();
    }
  }

  async accounts(): Promise<Accounts> {
    const users = await this.#db
      .selectFrom('users')
      .leftJoin('class_members', 'class_members.user_id', 'users.id')
      .select(['username', 'users.role', 'class_members.role as class_role'])
      .where('email', 'like', `%@${emailDomain}`)
      .orderBy('users.id')
      .execute();
    const named = (chosen: typeof users) => chosen.map(({ username }) => username);
    return {
      instructors: named(users.filter(({ role }) => role === 'instructor')),
      assistants: named(users.filter(({ class_role }) => class_role === 'assistant')),
      student: named(users.filter(({ class_role }) => class_role === 'student')).at(-1) ?? '',
    };
  }
}

/** Writes announcements, and who has read them. @returns the entries that they leave in the activity log */
async function writeAnnouncements(
  trx: Transaction<Tables>,
  announcements: readonly Announcement[],
  { users, classes }: Pick<Written, 'users' | 'classes'>,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const { class: of, author, readers, title, text, shows_from, shows_until } of announcements) {
    const author_id = idOf(users, author.username);
    const class_id = of ? (classes.get(of) ?? null) : null;
    const { id } = await trx
      .insertInto('announcements')
      .values({ class_id, author_id, title, text, shows_from, shows_until, created_at: shows_from })
      .returning('id')
      .executeTakeFirstOrThrow();
    const reads = [author, ...readers].map(({ username }) => ({
      ...{ announcement_id: id, user_id: idOf(users, username), read_at: shows_from },
    }));
    await trx.insertInto('announcement_reads').values(reads).execute();
    const made = { type: 'announcement_create', title, entity_type: 'announcement', entity_id: id };
    entries.push({ ...made, actor_id: author_id, created_at: shows_from });
  }
  return entries;
}

/** What students of the installation can learn. */
async function readCatalogue(db: Database): Promise<Catalogue> {
  const { rows: themes } = await sql<Theme>`
    select themes.id, themes.title, courses.id as course_id, sections.id as section_id, markdown_file_path
    from themes join sections on sections.id = section_id join courses on courses.id = course_id
    where courses.is_active and sections.is_active
    order by courses.order_index, courses.id, sections.order_index, sections.id, themes.order_index, themes.id`.execute(
    db,
  );
  const { rows: exams } = await sql<Exam>`${assessments('exam')} and assessment.time_limit_minutes is not null
    order by assessment.order_index, assessment.id`.execute(db);
  const { rows: laboratories } = await sql<Laboratory>`${assessments('laboratory')} order by assessment.id`.execute(db);
  const courses = await db
    .selectFrom('courses')
    .select(['id', 'name'])
    .where('is_active', '=', true)
    .orderBy('order_index')
    .orderBy('id')
    .execute();
  return { courses, themes, exams, laboratories };
}

const assessments = (kind: 'exam' | 'laboratory') => sql`
  select assessment.*, task.list as tasks from assessments as assessment cross join lateral (
    select jsonb_agg(jsonb_build_object('id', id, 'title', title, 'points', points, 'order_index', order_index)
      order by order_index, id) as list
    from assessment_tasks as tasks where tasks.assessment_kind = assessment.kind and tasks.assessment_id = assessment.id) as task
  where assessment.kind = ${kind} and assessment.is_active and task.list is not null`;

/** Rows of one statement. PostgreSQL allows 65,535 parameters in one. */
const rowsAtOnce = 1000;

/** Writes progress, attempts with results, notes, and the activity that they leave, in the order in which they happened. */
async function writeWork(
  trx: Transaction<Tables>,
  { work: { readings, attempts }, notes }: Plan,
  written: Written,
): Promise<void> {
  const { users } = written;
  const progress = readings.map(({ student, theme, at }) => ({
    ...{ user_id: idOf(users, student.username), theme_id: theme.id, completed: true, completed_at: at },
  }));
  for (const rows of inParts(progress)) await trx.insertInto('theme_progress').values(rows).execute();
  await writeAttempts(trx, attempts, written);
  const noted = notes.map(({ student, theme, excerpt, text, at }) => ({
    ...{ user_id: idOf(users, student.username), theme_id: theme.id, excerpt, text, created_at: at, updated_at: at },
  }));
  for (const rows of inParts(noted)) await trx.insertInto('lesson_notes').values(rows).execute();
  const entries = [
    ...written.entries,
    ...readings.map((reading) => readingEntry(reading, users)),
    ...attempts.flatMap((attempt) => attemptEntries(attempt, users)),
  ].sort((one, other) => one.created_at.getTime() - other.created_at.getTime());
  for (const rows of inParts(entries)) await trx.insertInto('activity_log').values(rows).execute();
  await sql`update users set last_login_at = latest.at from (
      select user_id, max(created_at) as at from activity_log group by user_id) as latest
    where latest.user_id = users.id`.execute(trx);
}

/** In the order of their starts, as the ids of a service's attempts are. */
async function writeAttempts(
  trx: Transaction<Tables>,
  attempts: readonly Attempt[],
  { users, sessions }: Pick<Written, 'users' | 'sessions'>,
): Promise<void> {
  const inOrder = attempts.toSorted((one, other) => one.started_at.getTime() - other.started_at.getTime());
  const named = inOrder.map((attempt, index) => ({ attempt, container_name: `demonstration-${index + 1}` }));
  for (const part of inParts(named)) {
    const written = await trx
      .insertInto('attempts')
      .values(part.map(({ attempt, container_name }) => ({ ...rowOf(attempt, users, sessions), container_name })))
      .returning(['id', 'container_name'])
      .execute();
    const ids = new Map(written.map(({ id, container_name }) => [container_name, id]));
    const results = part.flatMap(({ attempt, container_name }) => resultsOf(attempt, ids.get(container_name) ?? 0));
    for (const rows of inParts(results)) await trx.insertInto('task_results').values(rows).execute();
  }
}

function rowOf(attempt: Attempt, users: Written['users'], sessions: Written['sessions']) {
  const { kind, student, assessment, session, started_at, expires_at, submitted_at, isExpired } = attempt;
  return {
    kind,
    assessment_id: assessment.id,
    user_id: idOf(users, student.username),
    title: assessment.title,
    status: isExpired ? ('expired' as const) : ('finished' as const),
    ...{ created_at: started_at, started_at, expires_at, submitted_at },
    ...{ score: attempt.score, passed: attempt.isPassed, passing_score: assessment.passing_score },
    max_score: assessment.tasks.reduce((sum, { points }) => sum + points, 0),
    session_id: (session && sessions.get(session)) ?? null,
    time_limit_minutes: assessment.time_limit_minutes,
  };
}

const resultsOf = ({ assessment, verdicts, submitted_at }: Attempt, attempt_id: number) =>
  assessment.tasks.map(({ id, title, points, order_index }, index) => ({
    ...{ attempt_id, task_id: id, title, order_index, points, passed: verdicts[index] ?? false },
    points_earned: verdicts[index] ? points : 0,
    output: verdicts[index] ? 'PASS' : 'The task is not solved\nFAIL',
    graded_at: submitted_at,
  }));

function readingEntry({ student, theme, at }: Reading, users: Written['users']): Entry {
  const id = idOf(users, student.username);
  const entry = { type: 'lesson_complete', title: theme.title, entity_type: 'theme', entity_id: theme.id };
  return { ...entry, user_id: id, actor_id: id, created_at: at };
}

function attemptEntries(attempt: Attempt, users: Written['users']): Entry[] {
  const { kind, student, assessment, started_at, submitted_at, isExpired } = attempt;
  const id = idOf(users, student.username);
  const entry = { user_id: id, title: assessment.title, entity_type: kind, entity_id: assessment.id };
  const end = isExpired ? { type: `${kind}_expire`, actor_id: null } : { type: `${kind}_submit`, actor_id: id };
  return [
    { ...entry, type: `${kind}_start`, actor_id: id, created_at: started_at },
    { ...entry, ...end, created_at: submitted_at },
  ];
}

function* inParts<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let at = 0; at < rows.length; at += rowsAtOnce) yield rows.slice(at, at + rowsAtOnce);
}

type Entry = Insertable<ActivityLogTable> & { created_at: Date };
/** The ids of what was written, and the entries that it leaves in the activity log. */
type Written = {
  users: Map<string, number>;
  classes: Map<SchoolClass, number>;
  sessions: Map<Session, number>;
  entries: Entry[];
};

/** Writes accounts, classes and exam sessions. */
async function writeSchool(
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

function idOf(users: Written['users'], username: string): number {
  const id = users.get(username);
  if (id === undefined) throw new Error(`${username} was not written`);
  return id;
}
