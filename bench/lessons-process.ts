/**
 * The service with a catalogue of lessons and 32 students who have completed a fifth of it, among 2,000 users, in a separate process.
 * Arguments: the numbers of courses, of sections in each, and of themes in each section. Prints its address, the students' tokens, an
 * administrator's and the secret as JSON, and the address of a request that takes back all completions.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { Tokens } from '../src/features/auth/tokens.ts';
import { TestServer } from '../test/server.ts';

const [courses, sections, themes] = process.argv.slice(2).map(Number);
const students = 32;
const users = 2000;
const secret = 'a secret for signing tokens that only this benchmark knows';
const server = await TestServer.start({
  SECRET_KEY: secret,
  REQUESTS_PER_MINUTE: '100000000',
  LOG_LEVEL: 'info',
});
const seed = [
  `insert into courses (name, slug, description, order_index) select 'Course ' || n, 'course-' || n, repeat('What it is about. ', 10), n
    from generate_series(1, ${courses}) n`,
  `insert into sections (course_id, name, slug, order_index)
    select id, 'Section ' || n, 'section-' || n, n from courses, generate_series(1, ${sections}) n`,
  `insert into themes (section_id, title, slug, markdown_file_path, duration_minutes, order_index)
    select id, 'Theme ' || n || ' of the section', 'theme-' || n, 'linux-from-the-shell-up/01-first-steps/02-moving-around-the-file-tree.md', 15, n
    from sections, generate_series(1, ${themes}) n`,
  `insert into users (username, email, password_hash)
    select 'student-' || n, 'student-' || n || '@example.com', 'x' from generate_series(1, ${users}) n`,
  `insert into theme_progress (user_id, theme_id, completed, completed_at)
    select users.id, themes.id, true, now() - themes.id * interval '1 hour' from users, themes where users.id <= ${students} and (themes.id + users.id) % 5 = 0`,
  'vacuum analyze',
];
const { db } = server.application;
for (const statement of seed) await sql.raw(statement).execute(db);
const { rows } = await sql<{ id: number }>`select id from users order by id limit ${students}`.execute(db);
const tokens = rows.map(({ id }) => new Tokens(secret).issue(id, 'login', new Date()));
const { token: admin } = await server.user('admin');
// Rounds of completions begin with themes that nobody has completed.
const control = createServer((request, response) => {
  const isReset = request.method === 'POST' && request.url === '/begin';
  const reset = isReset ? sql`truncate theme_progress, activity_log`.execute(db) : Promise.reject(new Error('unknown'));
  reset.then(() => response.end()).catch(() => response.writeHead(404).end());
});
await new Promise<void>((resolve) => control.listen(0, '127.0.0.1', resolve));
const { port } = control.address() as AddressInfo;
process.stdout.write(
  `${JSON.stringify({ url: server.url, begin: `http://127.0.0.1:${port}/begin`, tokens, secret, admin })}\n`,
);
process.on('SIGTERM', () => {
  control.close();
  void server[Symbol.asyncDispose]().then(() => process.exit(0));
});
