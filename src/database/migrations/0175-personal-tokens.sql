-- Tokens that users make for their programs. The token itself is not kept, only its SHA-256: it has 256 random bits.
create table personal_tokens (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  name text not null,
  scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['read', 'write', 'content', 'grades', 'admin']),
  hash text not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz
);
create index personal_tokens_of_user on personal_tokens (user_id);
