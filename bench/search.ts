/**
 * Latency of `GET /api/search` of a student with 20,000 lessons of 500 words, against a bare lookup of titles by the same index, which is one
 * statement without the service. Rounds alternate. The processor time is that of PostgreSQL for one search. Words of a natural text are frequent and rare: the word with rank n has a share of 1/n.
 */
import { sql } from 'kysely';
import { TestServer } from '../test/server.ts';
import { median, prepareEnvironment, quantile, report, timed } from './environment.ts';
import { databaseSeconds } from './processor-time.ts';

const rounds = Number(process.env['ROUNDS'] ?? 15);
const perRound = 4;
const lessons = 20_000;

const seed = [
  `insert into courses (name, slug) select 'Course ' || n, 'course-' || n from generate_series(1, 40) n`,
  `insert into sections (course_id, name, slug) select id, 'Section ' || n, 'section-' || n from courses, generate_series(1, 25) n`,
  `insert into themes (section_id, title, slug, markdown_file_path, duration_minutes)
    select sections.id, 'Lesson ' || n || ' about word' || (sections.id * 20 + n), 'theme-' || n, 'none.md', 15
    from sections, generate_series(1, 20) n`,
  // A skewed distribution over 10,000 words. Every lesson has the first one.
  `update lesson_texts set body = (
    select string_agg(case when n = 1 then 'each' when n % 9 = 0 then 'слово' else 'word' end ||
      case when n = 1 then '' else floor(exp(random() * ln(10000)))::int::text end, ' ')
    from generate_series(1, 500) n where lesson_texts.theme_id > 0)`,
  'vacuum analyze',
];

const queries: [name: string, q: string][] = [
  ['a rare word', 'word9000 '],
  ['a word of every lesson', 'each '],
  ['two words', 'word20 слово30 '],
  ['the first letters of a word', 'word2'],
  ['one letter', 'w'],
  ['a phrase', '"word1 word2"'],
  ['a word that no lesson has', 'absent '],
];

await using environment = await prepareEnvironment();
await using server = await TestServer.start({
  ...{ REQUESTS_PER_MINUTE: '100000000', databaseStatementSeconds: 600, searchTimeoutMs: 60_000 },
});
const { db } = server.application;
for (const statement of seed) await sql.raw(statement).execute(db);
const { token } = await server.user();

const search = (q: string) => async (): Promise<void> => {
  const { status, text } = await server.get(`/api/search?q=${encodeURIComponent(q)}`, token);
  if (status !== 200) throw new Error(`${q}: ${status} ${text}`);
};
const lookUp = (q: string) => async (): Promise<void> => {
  await sql`select theme_id, title from lesson_texts
    where search_words(title, '') @@ websearch_to_tsquery('public.search', ${q}) limit 8`.execute(db);
};
const spent = () => databaseSeconds(environment.databasePid);
async function times(work: () => Promise<void>): Promise<number[]> {
  const measured: number[] = [];
  for (let count = 0; count < perRound; count += 1) measured.push(await timed(work));
  return measured;
}

for (const [name, q] of queries) {
  const [ours, reference]: [number[], number[]] = [[], []];
  const processor = { ours: 0, reference: 0 };
  await times(search(q));
  await times(lookUp(q));
  for (let round = 0; round < rounds; round += 1) {
    const begin = spent();
    ours.push(...(await times(search(q))));
    const middle = spent();
    reference.push(...(await times(lookUp(q))));
    processor.ours += middle - begin;
    processor.reference += spent() - middle;
  }
  const what = `search of ${lessons} lessons for ${name} / bare lookup of titles`;
  report(what, median(ours), median(reference), 'ms', '< 50 ms');
  const each = (seconds: number): number => (1000 * seconds) / (rounds * perRound);
  report(`${what}, processor time of PostgreSQL`, each(processor.ours), each(processor.reference), 'ms', '');
  report(`${what}, 95 %`, quantile(ours, 0.95), quantile(reference, 0.95), 'ms', '');
}
