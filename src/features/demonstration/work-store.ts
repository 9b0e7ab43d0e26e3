import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { Attempt, Plan, Reading } from './plan-store.ts';
import { type Entry, idOf, type Written } from './school-store.ts';

/** Rows of one statement. PostgreSQL allows 65,535 parameters in one. */
const rowsAtOnce = 1000;

/** Writes progress, attempts with results, notes, and the activity that they leave, in the order in which they happened. */
export async function writeWork(
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
    [kind === 'exam' ? 'exam_id' : 'laboratory_id']: assessment.id,
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
