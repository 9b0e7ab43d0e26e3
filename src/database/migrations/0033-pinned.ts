import { type Kysely, sql } from 'kysely';

/**
 * The states of exams and laboratories that attempts are shown and graded by, and the image that each container was created from. The
 * contents of set-up files are stored once for each digest, because states keep them after the files have changed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const fileContents = [
  `create table setup_contents (
    digest text primary key,
    bytes integer not null check (bytes >= 0),
    created_at timestamptz(3) not null default now()
  )`,
  'insert into setup_contents (digest, bytes) select distinct on (digest) digest, bytes from setup_files',
  `create table setup_content_parts (
    digest text not null references setup_contents on delete cascade,
    part integer not null check (part >= 0),
    content bytea not null,
    primary key (digest, part)
  )`,
  `insert into setup_content_parts (digest, part, content)
    select files.digest, parts.part, parts.content
    from (select distinct on (digest) id, digest from setup_files order by digest, id) as files
    join setup_file_parts as parts on parts.file_id = files.id`,
  'drop table setup_file_parts',
  'alter table setup_files add foreign key (digest) references setup_contents',
  'create index setup_files_digest on setup_files (digest)',
];

const states = [
  // A state survives its exam or laboratory, like the attempts that refer to it.
  `create table subject_states (
    id integer generated always as identity primary key,
    exam_id integer references exams on delete set null,
    laboratory_id integer references laboratories on delete set null,
    digest text not null,
    container_image text not null,
    setup_key text,
    time_limit_minutes integer,
    passing_score integer not null,
    max_score integer not null,
    is_sequential boolean not null,
    content jsonb not null,
    is_current boolean not null default false,
    created_at timestamptz(3) not null default now(),
    check (num_nonnulls(exam_id, laboratory_id) <= 1)
  )`,
  ...['exam', 'laboratory'].flatMap((kind) => [
    `create unique index subject_states_of_${kind} on subject_states (${kind}_id, digest) where ${kind}_id is not null`,
    `create unique index subject_states_current_${kind} on subject_states (${kind}_id) where is_current`,
  ]),
  `create table subject_state_contents (
    state_id integer not null references subject_states on delete cascade,
    digest text not null references setup_contents,
    primary key (state_id, digest)
  )`,
  'create index subject_state_contents_digest on subject_state_contents (digest)',
  'alter table attempts add column state_id integer references subject_states, add column image_id text',
  'create index attempts_of_state on attempts (state_id) where state_id is not null',
  'alter table containers add column image_id text',
];

// A change waits while a state is being recorded, and the other way round. Changes do not wait for each other. The state that a change
// ends is no longer current; the next start records the new one.
const triggers = [
  ...['exam', 'laboratory'].flatMap((kind) => {
    const tables = [
      { table: kind === 'exam' ? 'exams' : 'laboratories', column: 'id', events: 'update' },
      { table: `${kind}_tasks`, column: `${kind}_id`, events: 'insert or update or delete' },
      { table: 'setup_files', column: `${kind}_id`, events: 'insert or update or delete' },
    ];
    return [
      `create function end_current_${kind}_state(subject integer) returns void language plpgsql as $$
      begin
        perform pg_advisory_xact_lock_shared(hashtext('subject states'));
        update subject_states set is_current = false where ${kind}_id = subject and is_current;
      end $$`,
      ...tables.flatMap(({ table, column, events }) => [
        `create function ${table}_end_${kind}_state() returns trigger language plpgsql as $$
        begin
          if tg_op <> 'INSERT' and old.${column} is not null then
            perform end_current_${kind}_state(old.${column});
          end if;
          if tg_op <> 'DELETE' and new.${column} is not null then
            perform end_current_${kind}_state(new.${column});
          end if;
          return null;
        end $$`,
        `create trigger ${table}_end_${kind}_state after ${events} on ${table}
          for each row execute function ${table}_end_${kind}_state()`,
      ]),
    ];
  }),
];

const statements = [...fileContents, ...states, ...triggers];
