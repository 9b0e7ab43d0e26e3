/** The reference: bare Fastify routes that run one prepared query by key and return the same answers as the service. */
import Fastify from 'fastify';
import pg from 'pg';

const [me = '', exams = '', exam = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: process.env['TEST_DATABASE_URL'] ?? '', max: 20 });
await pool.query('create table if not exists answers (key text primary key, body jsonb not null)');
for (const [key, body] of [
  ['me', me],
  ['exams', exams],
  ['exam', exam],
]) {
  await pool.query('insert into answers values ($1, $2) on conflict (key) do update set body = excluded.body', [
    key,
    body,
  ]);
}
const app = Fastify();
for (const key of ['me', 'exams', 'exam']) {
  app.get(`/${key}`, async () => {
    const { rows } = await pool.query({
      name: 'answer',
      text: 'select body from answers where key = $1',
      values: [key],
    });
    return rows[0].body;
  });
}
process.stdout.write(`${JSON.stringify({ url: await app.listen({ port: 0 }) })}\n`);
process.on('SIGTERM', () => process.exit(0));
