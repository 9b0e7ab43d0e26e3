-- Addresses that are told what happens.
create table webhooks (
  id integer generated always as identity primary key,
  url text not null check (length(url) between 1 and 2048),
  events text[] not null check (cardinality(events) between 1 and 20 and array_position(events, null) is null),
  sealed_secret bytea not null,
  -- The secret before the last rotation, which signs as well until then.
  sealed_old_secret bytea,
  old_secret_until timestamptz(3),
  -- Null: it is not paused.
  pause_reason text check (pause_reason in ('asked', 'gone', 'failing')),
  -- Since when no delivery has succeeded. Null: the last one did.
  failing_since timestamptz(3),
  created_at timestamptz(3) not null default now()
);

-- What is to be sent to a webhook, and what was sent lately.
create table webhook_deliveries (
  id integer generated always as identity primary key,
  webhook_id integer not null references webhooks on delete cascade,
  -- The same for each attempt, so that a receiver recognises a repetition.
  message_id text not null default 'msg_' || replace(gen_random_uuid()::text, '-', ''),
  event text not null,
  -- As it is signed.
  body text not null,
  status text not null default 'queued' check (status in ('queued', 'delivered', 'failed')),
  attempts integer not null default 0,
  -- Of the next attempt. While one runs, when it counts as lost.
  due_at timestamptz(3) not null default clock_timestamp(),
  -- After it there is no further attempt.
  expires_at timestamptz(3) not null default clock_timestamp() + interval '1 day',
  -- Of the last attempt: the status of the answer, or why there was none.
  code integer,
  problem text,
  created_at timestamptz(3) not null default clock_timestamp(),
  ended_at timestamptz(3),
  check ((status = 'queued') = (ended_at is null))
);
create index webhook_deliveries_due on webhook_deliveries (due_at) where status = 'queued';
create index webhook_deliveries_of_webhook on webhook_deliveries (webhook_id, id desc);
create index webhook_deliveries_ended on webhook_deliveries (ended_at) where ended_at is not null;

-- Attempts whose results have changed and were not reported yet: those that are withheld wait here for their release.
create table webhook_results (
  attempt_id integer primary key references attempts on delete cascade,
  changed_at timestamptz(3) not null default now()
);

create function write_webhooks(of_event text, about jsonb) returns void language sql as $$
  insert into webhook_deliveries (webhook_id, event, body)
  select id, of_event, jsonb_build_object('type', of_event,
    'timestamp', to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', about)::text
  from webhooks where of_event = any(events) and pause_reason is null
$$;

create function webhook_attempt(one attempts) returns jsonb language sql stable as $$
  select jsonb_build_object('attempt_id', one.id, 'kind', one.kind, 'assessment_id', one.assessment_id,
    'session_id', one.session_id, 'class_id', (select class_id from exam_sessions where id = one.session_id),
    'user_id', one.user_id, 'username', (select username from users where id = one.user_id))
$$;

create function write_attempt_webhooks() returns trigger language plpgsql as $$
  begin
    if not exists (select from webhooks where pause_reason is null) then return null; end if;
    if new.status = 'in_progress' and (tg_op = 'INSERT' or old.status in ('queued', 'starting')) then
      perform write_webhooks('attempt.started', webhook_attempt(new));
    end if;
    if tg_op = 'UPDATE' and old.submitted_at is null and new.submitted_at is not null then
      perform write_webhooks('attempt.submitted', webhook_attempt(new) || jsonb_build_object('submitted_at', new.submitted_at));
    end if;
    if tg_op = 'UPDATE' and new.status in ('finished', 'expired') and not new.is_awaiting_grading
      and (old.status not in ('finished', 'expired') or old.is_awaiting_grading
        or (old.score, old.max_score, old.passed) is distinct from (new.score, new.max_score, new.passed))
      and exists (select from webhooks where 'attempt.graded' = any(events) and pause_reason is null) then
      -- Its row is locked, so that who reports it meanwhile does so afterwards.
      insert into webhook_results (attempt_id) values (new.id) on conflict (attempt_id) do update set changed_at = now();
    end if;
    return null;
  end
$$;
-- Test students have negative ids.
create trigger attempts_write_webhooks_of_insert after insert on attempts for each row
  when (new.user_id > 0 and new.status = 'in_progress') execute function write_attempt_webhooks();
create trigger attempts_write_webhooks after update of status, submitted_at, score, max_score, passed, is_awaiting_grading on attempts
  for each row when (new.user_id > 0) execute function write_attempt_webhooks();

create function write_member_webhooks() returns trigger language plpgsql as $$
  declare
    member class_members := case when tg_op = 'DELETE' then old else new end;
  begin
    perform write_webhooks(case when tg_op = 'DELETE' then 'member.removed' else 'member.added' end,
      jsonb_build_object('class_id', member.class_id, 'user_id', member.user_id, 'role', member.role,
        'username', (select username from users where id = member.user_id)));
    return null;
  end
$$;
create trigger class_members_write_webhooks after insert or delete on class_members for each row execute function write_member_webhooks();

create function write_content_webhooks() returns trigger language plpgsql as $$
  begin
    perform write_webhooks('content.published', case tg_table_name
      when 'courses' then jsonb_build_object('kind', 'course', 'id', new.id)
      when 'lesson_repositories' then jsonb_build_object('kind', 'repository', 'id', new.id)
      else jsonb_build_object('kind', to_jsonb(new) -> 'kind', 'id', new.id) end);
    return null;
  end
$$;
create trigger courses_write_webhooks_of_insert after insert on courses for each row when (new.is_active) execute function write_content_webhooks();
create trigger courses_write_webhooks after update of is_active on courses for each row
  when (new.is_active and not old.is_active) execute function write_content_webhooks();
create trigger assessments_write_webhooks_of_insert after insert on assessments for each row when (new.is_active) execute function write_content_webhooks();
create trigger assessments_write_webhooks after update of is_active on assessments for each row
  when (new.is_active and not old.is_active) execute function write_content_webhooks();
create trigger lesson_repositories_write_webhooks after update of commit on lesson_repositories for each row
  when (new.commit is distinct from old.commit and new.commit is not null) execute function write_content_webhooks();
