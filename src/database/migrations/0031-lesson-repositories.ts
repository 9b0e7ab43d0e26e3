import { type Kysely, sql } from 'kysely';

/** Lesson repositories with keys, which courses refer to. Those that courses were imported from become such repositories. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table lesson_repositories (
    id integer primary key generated always as identity,
    name text not null check (length(name) between 1 and 200),
    url text not null check (length(url) between 1 and 2048),
    branch text check (length(branch) between 1 and 255),
    username text check (length(username) between 1 and 200),
    sealed_key bytea,
    commit text,
    updated_at timestamptz,
    error text,
    failed_at timestamptz
  )`,
  // An address can be too long for an index.
  `create unique index lesson_repositories_address_key on lesson_repositories (md5(url), (coalesce(branch, '')))`,
  `alter table courses add column repository_id integer references lesson_repositories (id)`,
  `insert into lesson_repositories (name, url, branch)
    select left(coalesce(nullif(regexp_replace(url, '^.*/([^/]*?)(\\.git)?/*$', '\\1'), ''), 'Lessons'), 200), url, branch
    from course_repositories where url is not null group by url, branch`,
  `update courses set repository_id = r.id from course_repositories c join lesson_repositories r
    on r.url = c.url and r.branch is not distinct from c.branch where c.course_id = courses.id`,
  `delete from course_repositories where outline is null`,
  `alter table course_repositories drop column url, drop column branch, alter column outline set not null`,
  // The time of each update is no change of the catalogue.
  `create trigger lesson_repositories_changed
    after insert or update of url, branch, username, sealed_key or delete or truncate on lesson_repositories
    for each statement execute function notify_table_change('catalogue_changed')`,
];
