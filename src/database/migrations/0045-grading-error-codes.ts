import { type Kysely, sql } from 'kysely';

/** Why a grading failed, as a stable word. Errors of the past whose text varies have none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table attempts add column grading_error_code text`.execute(db);
  await sql`update attempts set grading_error_code = case grading_error
      when 'The container was lost, so there is nothing to grade' then 'container_lost'
      when 'The container could not be created' then 'container_not_created'
      else 'grading_interrupted' end
    where grading_error in ('The container was lost, so there is nothing to grade', 'The container could not be created',
      'The grading process ended before it finished')`.execute(db);
}
