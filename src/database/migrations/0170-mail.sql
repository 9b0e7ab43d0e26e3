-- Mails that wait, and those that were sent or refused lately: of each matter of a user there is one, so that none is sent twice.
create table mails (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  kind text not null check (kind in ('address', 'password', 'invitation', 'exam_planned', 'exam_moved', 'results', 'feedback', 'hands')),
  key text not null,
  -- Since when the matter is as it is.
  event_at timestamptz(3) not null default now(),
  recipient text not null,
  language text not null,
  -- The values in its text.
  content jsonb not null,
  -- What its link proves. Deleted when the mail was sent.
  sealed_secret bytea,
  status text not null default 'queued' check (status in ('queued', 'sent', 'failed')),
  attempts integer not null default 0,
  -- Of the next attempt. While one runs, when it counts as lost.
  due_at timestamptz(3) not null default now(),
  -- From then on it is of no use.
  expires_at timestamptz(3) not null,
  -- The last answer of the mail server that was no success.
  problem text,
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  unique (user_id, key, event_at),
  check ((status = 'queued') = (ended_at is null))
);
create index mails_due on mails (due_at) where status = 'queued';
create index mails_ended on mails (ended_at) where ended_at is not null;
create index mails_with_problem on mails (id) where problem is not null and status <> 'sent';
create index mails_of_recipient on mails (lower(recipient), created_at);

-- The address that a user has chosen where it has to be confirmed. Without a row, the school has given it.
create table address_checks (
  user_id integer primary key references users on delete cascade,
  email text not null,
  verified_at timestamptz(3)
);

-- The links in mails. Only a keyed hash of each is stored.
create table mail_tokens (
  token_hash text primary key,
  user_id integer not null references users on delete cascade,
  purpose text not null check (purpose in ('password', 'address')),
  email text not null,
  expires_at timestamptz(3) not null
);
create index mail_tokens_of_user on mail_tokens (user_id);
create index mail_tokens_expired on mail_tokens (expires_at);

-- However a password or an address is changed, links that were sent before set no password any more.
create function end_password_links() returns trigger language plpgsql as $$
  begin
    delete from mail_tokens where user_id = new.id and purpose = 'password';
    return null;
  end
$$;
create trigger users_end_password_links after update of password_hash, email on users for each row
  when (old.password_hash <> new.password_hash or old.email <> new.email) execute function end_password_links();

-- Kinds of mails that the user has switched off, and the language of the last login.
alter table notification_settings add mails_off text[] not null default '{}', add language text;

-- Exam sessions whose students are still to be written to. No foreign key: a session that is restored after its deletion is planned again.
create table exam_plans (
  session_id integer primary key,
  is_moved boolean not null,
  changed_at timestamptz(3) not null default now()
);
create function note_exam_plan() returns trigger language plpgsql as $$
  begin
    insert into exam_plans (session_id, is_moved) values (new.id, tg_op = 'UPDATE')
    on conflict (session_id) do update set changed_at = now();
    return null;
  end
$$;
create trigger exam_sessions_write_plan after insert on exam_sessions for each row
  when (new.opens_at > now()) execute function note_exam_plan();
create trigger exam_sessions_write_move after update of opens_at, closes_at on exam_sessions for each row
  when (new.opens_at > now() and (old.opens_at <> new.opens_at or old.closes_at <> new.closes_at)) execute function note_exam_plan();
create function forget_exam_plan() returns trigger language plpgsql as $$
  begin
    delete from exam_plans where session_id = old.id;
    return null;
  end
$$;
create trigger exam_sessions_forget_plan after delete on exam_sessions for each row execute function forget_exam_plan();
