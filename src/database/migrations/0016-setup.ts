import { type Kysely, sql } from 'kysely';

/**
 * Set-up scripts of exams, laboratories and tasks, and how the checks of tasks give their verdicts. `setup_key_of` identifies all that
 * prepares a container for a subject, null if nothing does. A container has the key of what prepared it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  ...['exams', 'laboratories', 'exam_tasks', 'laboratory_tasks'].map(
    (table) => `alter table ${table} add column setup_script text`,
  ),
  ...['exam_tasks', 'laboratory_tasks'].map(
    (table) =>
      `alter table ${table} add column verdict text not null default 'pass' check (verdict in ('pass', 'exit-status', 'ok'))`,
  ),
  'alter table containers add column setup_key text',
  `create function setup_key_of(exam integer, laboratory integer) returns text language sql stable as $$
    select md5(string_agg(md5(setup_script), ' ' order by place, order_index, id)) from (
      select 0 as place, 0 as order_index, id, setup_script from exams where id = exam
      union all select 0, 0, id, setup_script from laboratories where id = laboratory
      union all select 1, order_index, id, setup_script from exam_tasks where exam_id = exam
      union all select 1, order_index, id, setup_script from laboratory_tasks where laboratory_id = laboratory
    ) as scripts where setup_script is not null
  $$`,
];
