-- Platforms of LTI 1.3, such as Moodle and Canvas, whose courses open pages of this service.

-- The keys with which this service signs messages to platforms, in RSA, which LTI requires.
create table lti_keys (
  id uuid primary key default gen_random_uuid(),
  sealed_key bytea not null,
  -- JWK
  public_key jsonb not null,
  created_at timestamptz(3) not null default now()
);

create table lti_platforms (
  id integer generated always as identity primary key,
  name text not null check (length(name) between 1 and 200),
  -- Neither changes: subjects and courses are those of one registration.
  issuer text not null check (length(issuer) <= 500),
  client_id text not null check (length(client_id) between 1 and 500),
  authorization_url text not null check (length(authorization_url) <= 1000),
  token_url text not null check (length(token_url) <= 1000),
  jwks_url text not null check (length(jwks_url) <= 1000),
  -- For whom access tokens are requested. Null: the token URL.
  token_audience text check (length(token_audience) <= 1000),
  -- Only their launches are accepted.
  deployment_ids text[] not null default '{}'
    check (cardinality(deployment_ids) <= 100 and array_position(deployment_ids, null) is null),
  -- Whose pages may show this service in a frame.
  origins text[] not null default '{}' check (cardinality(origins) <= 20 and array_position(origins, null) is null),
  is_active boolean not null default false,
  -- The platform has verified the addresses of its users, so that accounts with them are theirs.
  is_linking_by_email boolean not null default false,
  -- Instructors of its courses become instructors here.
  makes_instructors boolean not null default false,
  created_at timestamptz(3) not null default now(),
  constraint lti_platforms_client unique (issuer, client_id)
);
create trigger lti_platforms_changed after insert or update or delete or truncate on lti_platforms
  for each statement execute function notify_table_change('lti_platforms_changed');

-- A course of a platform, and the class that follows it.
create table lti_contexts (
  id integer generated always as identity primary key,
  platform_id integer not null references lti_platforms on delete cascade,
  deployment_id text not null check (length(deployment_id) <= 255),
  context_id text not null check (length(context_id) <= 255),
  title text not null check (length(title) <= 200),
  -- Null: no instructor has chosen it yet.
  class_id integer references classes on delete set null,
  -- Of Names and Roles, and of Assignment and Grade Services. Null: the platform offers none.
  memberships_url text check (length(memberships_url) <= 2000),
  lineitems_url text check (length(lineitems_url) <= 2000),
  created_at timestamptz(3) not null default now(),
  constraint lti_contexts_course unique (platform_id, deployment_id, context_id)
);
create index lti_contexts_of_class on lti_contexts (class_id);

-- A link in a course of a platform, and what it shows: a lesson, a laboratory, an exam session, or the class.
create table lti_resource_links (
  id integer generated always as identity primary key,
  -- The row of the course.
  course_id integer not null references lti_contexts on delete cascade,
  resource_link_id text not null check (length(resource_link_id) <= 255),
  theme_id integer references themes on delete cascade,
  laboratory_id integer,
  laboratory_kind text not null default 'laboratory' check (laboratory_kind = 'laboratory'),
  exam_session_id integer references exam_sessions on delete cascade,
  -- Of the column of grades that belongs to the link. Null: none.
  lineitem_url text check (length(lineitem_url) <= 2000),
  created_at timestamptz(3) not null default now(),
  foreign key (laboratory_kind, laboratory_id) references assessments on delete cascade,
  constraint lti_resource_links_link unique (course_id, resource_link_id),
  check (num_nonnulls(theme_id, laboratory_id, exam_session_id) <= 1)
);
create index lti_resource_links_of_theme on lti_resource_links (theme_id);
create index lti_resource_links_of_laboratory on lti_resource_links (laboratory_id);
create index lti_resource_links_of_session on lti_resource_links (exam_session_id);

-- A user is known to a provider or to a platform.
alter table user_identities
  alter provider_id drop not null,
  add platform_id integer references lti_platforms on delete cascade,
  add constraint user_identities_platform_subject unique (platform_id, subject),
  add constraint user_identities_platform_user unique (user_id, platform_id),
  add constraint user_identities_source check (num_nonnulls(provider_id, platform_id) = 1);
