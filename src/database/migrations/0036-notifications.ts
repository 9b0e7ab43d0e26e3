import { type Kysely, sql } from 'kysely';

/** Announcements, deadlines of laboratories in classes, and the notifications of users. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // A moment that is rounded up to a millisecond would be in the future of its own transaction.
  `create table announcements (
    id integer generated always as identity primary key,
    class_id integer references classes on delete cascade,
    author_id integer references users on delete set null,
    title text not null check (title <> ''),
    text text not null default '',
    shows_from timestamptz(3) not null default date_trunc('milliseconds', now()),
    shows_until timestamptz(3),
    is_due boolean not null default true,
    created_at timestamptz(3) not null default now(),
    edited_at timestamptz(3),
    check (shows_from < shows_until)
  )`,
  'create index announcements_of_class on announcements (class_id, shows_from)',
  'create index announcements_of_author on announcements (author_id)',
  'create index announcements_not_due on announcements (shows_from) where not is_due',
  `create table announcement_reads (
    announcement_id integer not null references announcements on delete cascade,
    user_id integer not null references users on delete cascade,
    read_at timestamptz(3) not null default now(),
    primary key (announcement_id, user_id)
  )`,
  'create index announcement_reads_of_user on announcement_reads (user_id)',
  `create table laboratory_deadlines (
    class_id integer not null references classes on delete cascade,
    laboratory_id integer not null references laboratories on delete cascade,
    due_at timestamptz(3) not null,
    primary key (class_id, laboratory_id)
  )`,
  'create index laboratory_deadlines_of_laboratory on laboratory_deadlines (laboratory_id)',
  'create index laboratory_deadlines_due on laboratory_deadlines (due_at)',
  `create table notifications (
    user_id integer not null references users on delete cascade,
    key text not null,
    kind text not null check (kind in ('exam_opens', 'time_left', 'more_time', 'results', 'deadline')),
    attempt_id integer references attempts on delete cascade,
    session_id integer references exam_sessions on delete cascade,
    class_id integer,
    laboratory_id integer,
    minutes integer,
    until timestamptz(3),
    created_at timestamptz(3) not null default now(),
    read_at timestamptz(3),
    primary key (user_id, key),
    foreign key (class_id, laboratory_id) references laboratory_deadlines on delete cascade
  )`,
  'create index notifications_of_attempt on notifications (attempt_id) where attempt_id is not null',
  'create index notifications_of_session on notifications (session_id) where session_id is not null',
  'create index notifications_of_deadline on notifications (class_id, laboratory_id) where class_id is not null',
  'create index notifications_by_age on notifications (created_at)',
  `create table notification_settings (
    user_id integer primary key references users on delete cascade,
    muted text[] not null default '{}'
  )`,
  // The users whose notifications have changed. A payload has at most 8,000 bytes.
  `create function notify_notifications() returns trigger language plpgsql as $$
  begin
    perform pg_notify('notification', ids) from (
      select string_agg(user_id::text, ',') as ids from (
        select user_id, row_number() over () as number from (select distinct user_id from changed) as users
      ) as numbered group by (number - 1) / 500
    ) as parts;
    return null;
  end $$`,
  ...['notifications', 'notification_settings', 'announcement_reads'].flatMap((table) => [
    `create trigger ${table}_made after insert on ${table}
      referencing new table as changed for each statement execute function notify_notifications()`,
    `create trigger ${table}_changed after update on ${table}
      referencing new table as changed for each statement execute function notify_notifications()`,
  ]),
  `create trigger notifications_deleted after delete on notifications
    referencing old table as changed for each statement execute function notify_notifications()`,
  `create function notify_announcement() returns trigger language plpgsql as $$
  begin
    perform pg_notify('announcement', coalesce(case when tg_op = 'DELETE' then old.class_id else new.class_id end::text, 'all'));
    return null;
  end $$`,
  `create trigger announcements_changed after insert or update or delete on announcements
    for each row execute function notify_announcement()`,
  // Results that the student may see, at the end of an attempt. What was said about its time is no longer true.
  `create function notify_of_end() returns trigger language plpgsql as $$
  begin
    delete from notifications where attempt_id = new.id and kind in ('time_left', 'more_time');
    if new.status in ('finished', 'expired') and (new.session_id is null or exists (
      select from exam_sessions as session where session.id = new.session_id
        and session_withholds(session, new.user_id) is distinct from 'results'))
    then
      insert into notifications (user_id, key, kind, attempt_id) values (new.user_id, 'results:' || new.id, 'results', new.id)
      on conflict do nothing;
    end if;
    return null;
  end $$`,
  `create trigger attempts_ended after update of status on attempts for each row
    when (old.status in ('in_progress', 'grading') and new.status in ('finished', 'expired', 'abandoned'))
    execute function notify_of_end()`,
  // The end of a pause moves the deadline without giving time.
  `create function notify_of_more_time() returns trigger language plpgsql as $$
  begin
    delete from notifications where user_id = new.user_id and key = 'time_left:' || new.id;
    insert into notifications (user_id, key, kind, attempt_id, minutes, until)
    values (new.user_id, 'more_time:' || new.id, 'more_time', new.id,
      round(extract(epoch from new.expires_at - old.expires_at) / 60), new.expires_at)
    on conflict (user_id, key) do update
      set minutes = excluded.minutes, until = excluded.until, created_at = now(), read_at = null;
    return null;
  end $$`,
  `create trigger attempts_got_more_time after update of expires_at on attempts for each row
    when (old.status = 'in_progress' and new.status = 'in_progress' and old.paused_at is not distinct from new.paused_at
      and new.expires_at >= old.expires_at + interval '30 seconds')
    execute function notify_of_more_time()`,
  // The newest attempt of each student whose results are shown now.
  `create function notify_of_results(session exam_sessions) returns void language sql as $$
    insert into notifications (user_id, key, kind, attempt_id)
    select user_id, 'results:' || id, 'results', id from (
      select distinct on (user_id) user_id, id from attempts
      where session_id = session.id and status in ('finished', 'expired')
        and session_withholds(session, user_id) is distinct from 'results'
      order by user_id, id desc
    ) as newest
    on conflict do nothing
  $$`,
  `create function notify_of_release() returns trigger language plpgsql as $$
  begin
    perform notify_of_results(new);
    return null;
  end $$`,
  `create trigger exam_sessions_shown after update on exam_sessions for each row
    when (old.results_visible is distinct from new.results_visible or old.released_at is distinct from new.released_at)
    execute function notify_of_release()`,
];
