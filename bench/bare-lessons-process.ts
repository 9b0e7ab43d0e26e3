/**
 * The reference for the requests of a lesson: bare Fastify routes that check the token and run one prepared statement, with the answers of
 * the service. The statement of a GET reads the answer as text, by key. That of a completion writes the student's row.
 */
import { createVerifier } from 'fast-jwt';
import Fastify from 'fastify';
import pg from 'pg';

const [url = '', token = '', secret = '', admin = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: process.env['TEST_DATABASE_URL'] ?? '', max: 20 });
await pool.query('create table if not exists answers (key text primary key, body text not null)');
await pool.query(`create table if not exists completions
  (user_id integer, theme_id integer, completed_at timestamptz(3) not null, primary key (user_id, theme_id))`);
await pool.query('truncate completions');
const answers = [
  ...['/api/lessons/courses', '/api/lessons/themes/7', '/api/lessons/themes/7/content'].map((path) => [path, token]),
  ['/api/dashboard/stats', token],
  ...Array.from({ length: 40 }, (_, index) => [`/api/admin/users?page=${index + 1}&page_size=50`, admin]),
];
for (const [path = '', reader] of answers) {
  const body = await (await fetch(url + path, { headers: { authorization: `Bearer ${reader}` } })).text();
  const text = 'insert into answers values ($1, $2) on conflict (key) do update set body = excluded.body';
  await pool.query(text, [path, body]);
}
const verify = createVerifier({ key: secret, algorithms: ['HS256'], requiredClaims: ['sub', 'exp'], cache: false });
const app = Fastify();
app.addHook('onRequest', async (request) => {
  if (request.url === '/begin') return;
  const { sub } = verify(request.headers.authorization?.slice('Bearer '.length) ?? '');
  request.headers['x-user'] = sub;
});
app.get('/api/*', async (request, reply) => {
  const text = 'select body from answers where key = $1';
  const { rows } = await pool.query({ name: 'answer', text, values: [request.url.replace(/themes\/\d+/, 'themes/7')] });
  return reply.type('application/json; charset=utf-8').send(rows[0].body);
});
app.post<{ Params: { id: string } }>('/api/lessons/themes/:id/complete', async (request) => {
  const text = `insert into completions values ($1, $2, now())
    on conflict (user_id, theme_id) do update set completed_at = excluded.completed_at returning *`;
  const values = [Number(request.headers['x-user']), Number(request.params.id)];
  const { rows } = await pool.query({ name: 'complete', text, values });
  return { ...rows[0], completed: true };
});
app.post('/begin', async () => await pool.query('truncate completions'));
const own = await app.listen({ port: 0 });
process.stdout.write(`${JSON.stringify({ url: own, begin: `${own}/begin` })}\n`);
process.on('SIGTERM', () => process.exit(0));
