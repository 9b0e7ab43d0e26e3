-- Whether the installation asks students before it records their terminals. A user without a row has not decided, and is not recorded then.
alter table site add has_recording_consent boolean not null default false;
create table recording_consents (
  user_id integer primary key references users on delete cascade,
  is_given boolean not null,
  version integer not null check (version > 0),
  decided_at timestamptz(3) not null default now()
);
-- A terminal of the attempt was opened without a recording, because its user had not agreed.
alter table attempts add has_unrecorded_terminals boolean not null default false;
