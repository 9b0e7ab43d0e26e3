-- Secrets with which Git hosts sign the pushes of repositories of lessons.
create table push_secrets (
  -- In the address that the host is given.
  id integer generated always as identity primary key,
  -- Null: the repository of the service.
  repository_id integer constraint push_secrets_repository unique nulls not distinct references lesson_repositories on delete cascade,
  sealed_secret bytea not null,
  -- The last push with the secret. Null: none.
  pushed_at timestamptz(3)
);

-- Pushes that were taken: each is taken once.
create table taken_pushes (
  push_secret_id integer not null references push_secrets on delete cascade,
  -- A hash of the id of the delivery, or of its body.
  digest text not null,
  taken_at timestamptz(3) not null default now(),
  primary key (push_secret_id, digest)
);
create index taken_pushes_old on taken_pushes (taken_at);
