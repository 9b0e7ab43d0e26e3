/**
 * Latency of a student's dashboard (its three routes) and tree of courses with 100,000 users and 2,000,000 completed themes,
 * against the same with 1,000 users and 20,000. Both have the same catalogue and the same students. Rounds alternate, and each
 * request is for another student.
 */
import { sql } from 'kysely';
import { Tokens } from '../src/features/auth/tokens.ts';
import { TestServer } from '../test/server.ts';
import { median, prepareEnvironment, report, timed } from './environment.ts';

const rounds = 15;
const studentsPerRound = 20;
const secret = 'a secret for signing tokens that only this benchmark knows';
const dashboard = ['/api/dashboard/stats', '/api/dashboard/activity?page_size=20', '/api/dashboard/analytics?days=30'];
const courses = ['/api/lessons/courses'];

type Place = { server: TestServer; users: number; next: number };

/** 60 themes in 4 courses; every user has completed 20 of them and submitted 3 attempts. */
async function place(users: number): Promise<Place> {
  const server = await TestServer.start({
    SECRET_KEY: secret,
    REQUESTS_PER_MINUTE: '100000000',
    databaseStatementSeconds: 600,
  });
  await server.application.db.connection().execute(async (connection) => {
    // The rows are consistent by construction. Checking each foreign key would take most of the time.
    await sql`set session_replication_role = replica`.execute(connection);
    for (const statement of seed(users)) await sql.raw(statement).execute(connection);
    await sql`set session_replication_role = default`.execute(connection);
    await sql`vacuum analyze`.execute(connection);
  });
  return { server, users, next: 1 };
}

const seed = (users: number): string[] => [
  `insert into courses (name, slug) select 'Course ' || n, 'course-' || n from generate_series(1, 4) n`,
  `insert into sections (course_id, name, slug) select id, 'Section ' || n, 'section-' || n from courses, generate_series(1, 3) n`,
  `insert into themes (section_id, title, slug, markdown_file_path, duration_minutes)
    select id, 'Theme ' || n, 'theme-' || n, 'theme.md', 15 from sections, generate_series(1, 5) n`,
  `insert into users (username, email, password_hash)
    select 'student-' || n, 'student-' || n || '@example.com', 'x' from generate_series(1, ${users}) n`,
  `insert into theme_progress (user_id, theme_id, completed, completed_at)
    select u, 1 + (3 * t + u) % 60, true, now() - (t + u % 3) * interval '1 day'
    from generate_series(1, ${users}) u, generate_series(1, 20) t`,
  `insert into attempts (kind, user_id, title, container_name, status, expires_at, submitted_at, score, max_score, passing_score, passed)
    select 'exam', u, 'Exam ' || n, 'exam-' || n || '-user-' || u, 'finished', now(), now() - n * interval '2 days', 60 + n, 100, 50, true
    from generate_series(1, 3) n, generate_series(1, ${users}) u`,
  `insert into activity_log (user_id, actor_id, type, title, entity_type, entity_id)
    select u, u, 'lesson_complete', 'Theme ' || t, 'theme', 1 + (3 * t + u) % 60
    from generate_series(1, 20) t, generate_series(1, ${users}) u`,
];

/** The median latency of one student's requests, over the given number of students. Each student is new to the service. */
async function round(place: Place, paths: readonly string[]): Promise<number> {
  const times: number[] = [];
  const tokens = new Tokens(secret);
  for (let student = 0; student < studentsPerRound; student += 1) {
    place.next = (place.next + 7) % place.users;
    const token = tokens.issue(place.next + 1, 'login', new Date());
    times.push(
      await timed(async () => {
        for (const path of paths) {
          const { status, text } = await place.server.get(path, token);
          if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
        }
      }),
    );
  }
  return median(times);
}

await using _environment = await prepareEnvironment();
const many = await place(100_000);
const few = await place(1_000);
for (const [name, paths] of [
  ["A student's dashboard, 100,000 users / 1,000", dashboard],
  ["A student's tree of courses, 100,000 users / 1,000", courses],
] as const) {
  await round(many, paths);
  await round(few, paths);
  const [ours, reference]: number[][] = [[], []];
  for (let count = 0; count < rounds; count += 1) {
    ours?.push(await round(many, paths));
    reference?.push(await round(few, paths));
  }
  report(name, median(ours ?? []), median(reference ?? []), 'ms', '≤ 1.50');
}
await many.server[Symbol.asyncDispose]();
await few.server[Symbol.asyncDispose]();
