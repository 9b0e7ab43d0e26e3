import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { scriptWithLineFeeds, withLineFeeds } from '../../values/line-feeds.ts';

/** Scripts of at most this size are mended; a larger file is hardly one. */
const maxScriptBytes = 1024 * 1024;
/** As the service stores them. */
const partBytes = 128 * 1024;

/** Scripts and texts of exams and laboratories have line feeds as their line ends, which new ones get when they are stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const mended = (column: string) =>
    sql`${sql.ref(column)} = replace(replace(regexp_replace(${sql.ref(column)}, ${'^\uFEFF(?=.)'}, ''), ${'\r\n'}, ${'\n'}), ${'\r'}, ${'\n'})`;
  for (const [table, columns] of [
    ['exams', ['description', 'introduction', 'conclusion', 'setup_script']],
    ['laboratories', ['description', 'introduction', 'conclusion', 'setup_script']],
    ['exam_tasks', ['description', 'verification_script', 'solution_script', 'setup_script']],
    ['laboratory_tasks', ['description', 'hint', 'verification_script', 'solution_script', 'setup_script']],
  ] as const)
    for (const column of columns)
      await sql`update ${sql.table(table)} set ${mended(column)} where ${sql.ref(column)} like ${'%\r%'}
        or ${sql.ref(column)} like ${'\uFEFF_%'}`.execute(db);
  await mendStates(db);
  await mendFiles(db);
}

/** What attempts that have not ended are graded by. What others were graded by stays as it was. */
async function mendStates(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ id: number; content: object }>`
    select id, content from subject_states where (content::text like ${'%\\\\r%'} or content::text like ${'%\uFEFF%'})
      and exists (select from attempts where state_id = subject_states.id and status in ('queued', 'starting', 'in_progress', 'grading'))`.execute(
    db,
  );
  for (const { id, content } of rows) {
    const mended = JSON.stringify(content, (_name, value: unknown) =>
      typeof value === 'string' ? withLineFeeds(value) : value,
    );
    await sql`update subject_states set content = ${mended}::jsonb where id = ${id}`.execute(db);
  }
}

async function mendFiles(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ id: number; path: string; digest: string }>`
    select id, path, digest from setup_files where bytes <= ${maxScriptBytes}`.execute(db);
  for (const { id, path, digest } of rows) {
    const parts = await sql<{ content: Buffer }>`
      select content from setup_content_parts where digest = ${digest} order by part`.execute(db);
    const content = Buffer.concat(parts.rows.map((part) => part.content));
    const mended = scriptWithLineFeeds(path, content);
    if (mended === content) continue;
    const now = createHash('sha256').update(mended).digest('hex');
    await sql`insert into setup_contents (digest, bytes) values (${now}, ${mended.length}) on conflict do nothing`.execute(
      db,
    );
    for (let part = 0; part * partBytes < mended.length; part += 1)
      await sql`insert into setup_content_parts (digest, part, content)
        values (${now}, ${part}, ${mended.subarray(part * partBytes, (part + 1) * partBytes)}) on conflict do nothing`.execute(
        db,
      );
    await sql`update setup_files set bytes = ${mended.length}, digest = ${now} where id = ${id}`.execute(db);
  }
}
