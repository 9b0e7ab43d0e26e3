-- Credentials of WebAuthn with which a user logs in without a password. Each is a second factor as well.
create table passkeys (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  -- In base64url, as the browser sends it.
  credential text not null unique check (length(credential) <= 1400),
  public_key bytea not null,
  -- How often the authenticator has signed. 0: it does not count.
  counter bigint not null,
  transports text[] not null,
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3)
);
create index passkeys_user on passkeys (user_id);

-- Users with passkeys alone have recovery codes, too.
alter table recovery_codes drop constraint recovery_codes_user_id_fkey,
  add foreign key (user_id) references users on delete cascade;
