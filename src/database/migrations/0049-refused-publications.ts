import { type Kysely, sql } from 'kysely';

/**
 * The report of the trial that refused a publication, the last of each author and subject. It is text, because what a check prints can have
 * characters that jsonb does not store.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table refused_publications (
    id integer generated always as identity primary key,
    user_id integer not null references users on delete cascade,
    exam_id integer references exams on delete cascade,
    laboratory_id integer references laboratories on delete cascade,
    report text not null,
    created_at timestamptz not null default date_trunc('milliseconds', now()),
    check (num_nonnulls(exam_id, laboratory_id) = 1),
    unique nulls not distinct (user_id, exam_id, laboratory_id)
  )`.execute(db);
  await sql`create index refused_publications_exam on refused_publications (exam_id) where exam_id is not null`.execute(
    db,
  );
  await sql`create index refused_publications_laboratory on refused_publications (laboratory_id)
    where laboratory_id is not null`.execute(db);
}
