import { type Kysely, sql } from 'kysely';

/**
 * What long lists need: an index for each filter, and counts that are kept as rows change. A change inserts a row into a table of
 * changes and so never waits for another one; `foldCounts` adds these rows to the counts. Readers add both.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTrigramExtension(db);
  // Sorts of millions of rows are several times as fast as with the default.
  for (const setting of ['maintenance_work_mem', 'work_mem'])
    await sql.raw(`set local ${setting} = '256MB'`).execute(db);
  for (const statement of statements) await sql.raw(statement).execute(db);
}

async function createTrigramExtension(db: Kysely<unknown>): Promise<void> {
  try {
    await sql`create extension if not exists pg_trgm`.execute(db);
  } catch (error) {
    throw new Error(
      'PostgreSQL could not create the extension pg_trgm, which the search for users needs: install the contrib modules of PostgreSQL, ' +
        'grant the right to create on the database, or run "create extension pg_trgm" as its owner',
      { cause: error },
    );
  }
}

const attemptKey = 'block, kind, subject_id, status, passed';
const attemptValues = `id >> 13 as block, kind, coalesce(exam_id, laboratory_id, 0) as subject_id, status, coalesce(passed, false) as passed`;

const attemptCounts = [
  // By subject for all attempts (block -1), and for each block of 8,192 ids for all subjects (subject 0). `passed` is false as well
  // where there is no result.
  `create table attempt_counts (
    block integer not null,
    kind text not null,
    subject_id integer not null,
    status text not null,
    passed boolean not null,
    count integer not null,
    earliest timestamptz(3) not null,
    latest timestamptz(3) not null,
    primary key (${attemptKey})
  )`,
  `create table student_counts (
    kind text not null,
    subject_id integer not null,
    count integer not null,
    primary key (kind, subject_id)
  )`,
  `create table attempt_count_changes (
    block integer not null,
    kind text not null,
    subject_id integer not null,
    status text not null,
    passed boolean not null,
    count integer not null,
    students integer not null,
    started_at timestamptz(3) not null
  )`,
  `insert into attempt_counts
    select coalesce(block, -1), kind, coalesce(subject_id, 0), status, passed, count(*), min(started_at), max(started_at)
    from (select ${attemptValues}, started_at from attempts) as values
    group by grouping sets ((block, kind, status, passed), (kind, subject_id, status, passed))`,
  `insert into student_counts
    select kind, subject_id, count(*) from (
      select distinct kind, coalesce(exam_id, laboratory_id) as subject_id, user_id from attempts where status <> 'starting'
    ) as students where subject_id is not null group by 1, 2`,
  // Before the row: each row of a statement then sees the rows before it, so that a student counts once.
  `create function is_only_attempt(attempt attempts) returns boolean language plpgsql as $$
  begin
    if attempt.status = 'starting' then
      return false;
    elsif attempt.exam_id is not null then
      return not exists (select from attempts where exam_id = attempt.exam_id and user_id = attempt.user_id
        and id <> attempt.id and status <> 'starting');
    elsif attempt.laboratory_id is not null then
      return not exists (select from attempts where laboratory_id = attempt.laboratory_id and user_id = attempt.user_id
        and id <> attempt.id and status <> 'starting');
    end if;
    return false;
  end $$`,
  `create function count_attempt() returns trigger language plpgsql as $$
  declare
    is_same_student boolean := tg_op = 'UPDATE' and (old.status = 'starting') = (new.status = 'starting')
      and (old.exam_id, old.laboratory_id) is not distinct from (new.exam_id, new.laboratory_id);
  begin
    if tg_op <> 'INSERT' then
      insert into attempt_count_changes values (old.id >> 13, old.kind, coalesce(old.exam_id, old.laboratory_id, 0), old.status,
        coalesce(old.passed, false), -1, case when not is_same_student and is_only_attempt(old) then -1 else 0 end, old.started_at);
    end if;
    if tg_op = 'DELETE' then
      return old;
    end if;
    insert into attempt_count_changes values (new.id >> 13, new.kind, coalesce(new.exam_id, new.laboratory_id, 0), new.status,
      coalesce(new.passed, false), 1, case when not is_same_student and is_only_attempt(new) then 1 else 0 end, new.started_at);
    return new;
  end $$`,
  'create trigger attempts_count before insert or delete on attempts for each row execute function count_attempt()',
  `create trigger attempts_recount before update of kind, exam_id, laboratory_id, status, passed, started_at on attempts for each row
    when ((old.kind, old.exam_id, old.laboratory_id, old.status, old.passed, old.started_at)
      is distinct from (new.kind, new.exam_id, new.laboratory_id, new.status, new.passed, new.started_at))
    execute function count_attempt()`,
];

const activityCounts = [
  `create table activity_counts (
    block integer not null,
    type text not null,
    entity_type text not null,
    count integer not null,
    primary key (block, type, entity_type)
  )`,
  `create table activity_count_changes (
    block integer not null,
    type text not null,
    entity_type text not null,
    count integer not null
  )`,
  `insert into activity_counts select coalesce(block, -1), type, entity_type, count(*)
    from (select (id >> 13)::integer as block, type, coalesce(entity_type, '') as entity_type from activity_log) as values
    group by grouping sets ((block, type, entity_type), (type, entity_type))`,
  `create function count_activity() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      insert into activity_count_changes values (new.id >> 13, new.type, coalesce(new.entity_type, ''), 1);
    else
      insert into activity_count_changes values (old.id >> 13, old.type, coalesce(old.entity_type, ''), -1);
    end if;
    return null;
  end $$`,
  'create trigger activity_log_count after insert or delete on activity_log for each row execute function count_activity()',
];

const userCounts = [
  `create table user_counts (
    role text not null,
    is_active boolean not null,
    count integer not null,
    primary key (role, is_active)
  )`,
  'create table user_count_changes (role text not null, is_active boolean not null, count integer not null)',
  'insert into user_counts select role, is_active, count(*) from users group by 1, 2',
  `create function count_user() returns trigger language plpgsql as $$
  begin
    if tg_op <> 'INSERT' then
      insert into user_count_changes values (old.role, old.is_active, -1);
    end if;
    if tg_op <> 'DELETE' then
      insert into user_count_changes values (new.role, new.is_active, 1);
    end if;
    return null;
  end $$`,
  'create trigger users_count after insert or delete on users for each row execute function count_user()',
  `create trigger users_recount after update of role, is_active on users for each row
    when ((old.role, old.is_active) is distinct from (new.role, new.is_active)) execute function count_user()`,
];

// A deleted task that has results: the grade book shows it without searching through all results.
const deletedTasks = [
  `create table deleted_tasks (
    kind text not null,
    subject_id integer not null,
    task_id integer not null,
    title text not null,
    points integer not null,
    order_index integer not null,
    primary key (kind, subject_id, task_id)
  )`,
  ...(['exam', 'laboratory'] as const).flatMap((kind) => {
    const parent = kind === 'exam' ? 'exams' : 'laboratories';
    return [
      `insert into deleted_tasks select distinct on (${kind}_id, task_id)
        '${kind}', ${kind}_id, task_id, task_results.title, points, order_index
        from task_results join attempts on attempts.id = attempt_id
        where ${kind}_id is not null and not exists (select from ${kind}_tasks
          where ${kind}_tasks.id = task_id and ${kind}_tasks.${kind}_id = attempts.${kind}_id)
        order by ${kind}_id, task_id, attempt_id desc`,
      `create function keep_deleted_${kind}_task() returns trigger language plpgsql as $$
      begin
        if exists (select from ${parent} where id = old.${kind}_id) then
          insert into deleted_tasks
            select '${kind}', old.${kind}_id, old.id, result.title, result.points, result.order_index
            from attempts join task_results as result on result.attempt_id = attempts.id and result.task_id = old.id
            where attempts.${kind}_id = old.${kind}_id order by attempts.id desc limit 1
            on conflict do nothing;
          -- A grading that runs now can still write a result.
          insert into deleted_tasks
            select '${kind}', old.${kind}_id, old.id, old.title, old.points, old.order_index
            where exists (select from attempts where ${kind}_id = old.${kind}_id and status = 'grading')
            on conflict do nothing;
        end if;
        return old;
      end $$`,
      `create trigger ${kind}_tasks_deleted before delete on ${kind}_tasks
        for each row execute function keep_deleted_${kind}_task()`,
    ];
  }),
];

const indexes = [
  // One index for a text anywhere in the username, the address or the full name.
  `create index users_text on users using gin
    (lower(username || E'\\n' || email || E'\\n' || coalesce(full_name, '')) gin_trgm_ops)`,
  'create index users_role on users (role, is_active, id)',
  // The students of a grade book are in the order of their names.
  'create index users_name on users (lower(username), id) include (username)',
  'create index attempts_own on attempts (user_id, id desc) include (kind, status)',
  'drop index attempts_user',
  'create index attempts_state on attempts (kind, status, passed, id desc) include (started_at)',
  ...['exam', 'laboratory'].flatMap((kind) => [
    `create index attempts_of_${kind} on attempts (${kind}_id, id desc) include (status, passed, started_at)`,
    `drop index attempts_${kind}`,
    `create index attempts_${kind}_students on attempts (${kind}_id, user_id) where status <> 'starting' and ${kind}_id is not null`,
  ]),
  'create index activity_log_own on activity_log (user_id, id desc) include (type)',
  'drop index activity_log_user',
  'create index activity_log_acts on activity_log (actor_id, id desc)',
  'drop index activity_log_actor',
  'create index activity_log_type on activity_log (type, id desc)',
  'create index activity_log_entity on activity_log (entity_type, entity_id, id desc)',
];

const statements = [...attemptCounts, ...activityCounts, ...userCounts, ...deletedTasks, ...indexes];
