-- Providers of OpenID Connect with which users log in.
create table identity_providers (
  id integer generated always as identity primary key,
  -- In the addresses that the provider knows.
  slug text not null constraint identity_providers_slug unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 40),
  name text not null check (length(name) between 1 and 200),
  -- It never changes: subjects are those of one issuer.
  issuer text not null check (length(issuer) <= 500),
  client_id text not null check (length(client_id) between 1 and 500),
  -- Null: a client without a secret.
  sealed_secret bytea,
  scopes text not null,
  is_active boolean not null default false,
  is_linking_by_email boolean not null default false,
  has_verified_emails boolean not null default false,
  local_login_off_domains text[] not null default '{}'
    check (cardinality(local_login_off_domains) <= 50 and array_position(local_login_off_domains, null) is null),
  -- [{claim, value, role, class_id}]
  rules jsonb not null default '[]' check (jsonb_typeof(rules) = 'array' and jsonb_array_length(rules) <= 200),
  created_at timestamptz(3) not null default now()
);
create trigger identity_providers_changed after insert or update or delete or truncate on identity_providers
  for each statement execute function notify_table_change('identity_providers_changed');

-- How a provider knows a user.
create table user_identities (
  id integer generated always as identity primary key,
  provider_id integer not null references identity_providers on delete cascade,
  user_id integer not null references users on delete cascade,
  subject text not null check (length(subject) between 1 and 255),
  -- The e-mail address that the provider has verified. Null: none.
  proven_email text,
  -- The role that the rules gave last. Null: none.
  given_role text check (given_role in ('student', 'instructor', 'admin')),
  created_at timestamptz(3) not null default now(),
  last_login_at timestamptz(3),
  constraint user_identities_subject unique (provider_id, subject),
  constraint user_identities_user unique (user_id, provider_id)
);

-- Logins at providers that have ended: each answer of a provider is used once. The states are keyed hashes.
create table used_login_states (
  state text primary key,
  expires_at timestamptz(3) not null
);
