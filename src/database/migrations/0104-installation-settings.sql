-- What administrators set for the installation. There is no row until something is set.
create table site (
  is_only boolean primary key default true check (is_only),
  name text check (length(name) between 1 and 60),
  logo_key text check (logo_key ~ '^[0-9a-f]{40}$'),
  accent text check (accent ~ '^#[0-9a-f]{6}$'),
  welcome text not null default '' check (length(welcome) <= 2000),
  has_public_courses boolean not null default false
);

create trigger site_changed after insert or update or delete on site for each statement execute function notify_table_change('site_changed');
