-- A second factor of a login: a code of an app (TOTP, RFC 6238), or a recovery code in its place.
create table second_factors (
  user_id integer primary key references users on delete cascade,
  sealed_secret bytea not null,
  -- Null while it is being set up.
  confirmed_at timestamptz(3),
  -- The period of 30 seconds whose code was used last. Codes of it and of earlier ones are refused.
  last_step bigint not null default 0
);

-- Those that are not used yet, as keyed hashes.
create table recovery_codes (
  user_id integer not null references second_factors on delete cascade,
  code_hash text not null,
  primary key (user_id, code_hash)
);

alter table users add has_second_factor boolean not null default false;
alter table site add second_factor_roles text[] not null default '{}'
  check (second_factor_roles <@ array['student', 'instructor', 'admin']);

create function notify_second_factor_roles() returns trigger language plpgsql as $$
  begin
    perform pg_notify('users_changed', '*');
    return null;
  end
$$;
create trigger site_second_factor_roles after update of second_factor_roles on site for each row
  when (old.second_factor_roles <> new.second_factor_roles) execute function notify_second_factor_roles();

-- The logins whose tokens may still be valid, for their user.
create table logins (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  login text not null unique,
  device text not null check (length(device) <= 100),
  address text not null,
  -- As the time of issue of a token: tokens_valid_from ends older ones.
  valid_from timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index logins_user on logins (user_id, last_used_at desc);
create index logins_age on logins (expires_at);
