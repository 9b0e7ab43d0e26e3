-- What a deletion may keep: results of somebody who has no name any more. A pseudonym never logs in.
alter table site add has_kept_results boolean not null default false;
alter table users add is_pseudonym boolean not null default false,
  add constraint users_pseudonym_check check (not is_pseudonym or (not is_active and role = 'student' and password_hash = ''));
