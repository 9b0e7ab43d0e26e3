import { type Kysely, sql } from 'kysely';

/**
 * Files that are put into new containers of an exam or a laboratory. Their contents are kept in parts, so that neither a backup nor a
 * start has a whole file in memory. The key of a set-up includes its files; without files it is the same as before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table setup_files (
    id integer generated always as identity primary key,
    exam_id integer references exams on delete cascade,
    laboratory_id integer references laboratories on delete cascade,
    exam_task_id integer references exam_tasks on delete cascade,
    laboratory_task_id integer references laboratory_tasks on delete cascade,
    path text not null check (path ~ '^/[^/]' and octet_length(path) <= 1000),
    owner text not null check (owner <> ''),
    mode text not null check (mode ~ '^[0-7]{4}$'),
    bytes integer not null check (bytes >= 0),
    digest text not null,
    check (num_nonnulls(exam_id, laboratory_id) = 1),
    check (exam_task_id is null or exam_id is not null),
    check (laboratory_task_id is null or laboratory_id is not null)
  )`,
  ...['exam', 'laboratory'].flatMap((kind) => [
    `create unique index setup_files_of_${kind} on setup_files (${kind}_id, coalesce(${kind}_task_id, 0), path) where ${kind}_id is not null`,
    `create index setup_files_of_${kind}_task on setup_files (${kind}_task_id) where ${kind}_task_id is not null`,
  ]),
  `create table setup_file_parts (
    file_id integer not null references setup_files on delete cascade,
    part integer not null check (part >= 0),
    content bytea not null,
    primary key (file_id, part)
  )`,
  `create or replace function setup_key_of(exam integer, laboratory integer) returns text language sql stable as $$
    select md5(string_agg(piece, ' ' order by place, order_index, id, path)) from (
      select 0 as place, 0 as order_index, id, '' as path, md5(setup_script) as piece from exams where id = exam
      union all select 0, 0, id, '', md5(setup_script) from laboratories where id = laboratory
      union all select 1, order_index, id, '', md5(setup_script) from exam_tasks where exam_id = exam
      union all select 1, order_index, id, '', md5(setup_script) from laboratory_tasks where laboratory_id = laboratory
      union all select 2, coalesce(task.order_index, -1), coalesce(task.id, 0), path, md5(concat_ws(' ', owner, mode, digest, path))
        from setup_files left join exam_tasks task on task.id = exam_task_id where setup_files.exam_id = exam
      union all select 2, coalesce(task.order_index, -1), coalesce(task.id, 0), path, md5(concat_ws(' ', owner, mode, digest, path))
        from setup_files left join laboratory_tasks task on task.id = laboratory_task_id where setup_files.laboratory_id = laboratory
    ) as pieces where piece is not null
  $$`,
];
