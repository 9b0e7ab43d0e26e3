-- Members of a class whom a provider of logins has brought, by their claims. They leave with the claim, and their row with the membership.
create table provider_members (
  class_id integer not null,
  user_id integer not null,
  provider_id integer not null references identity_providers on delete cascade,
  primary key (class_id, user_id),
  foreign key (class_id, user_id) references class_members on delete cascade
);
create index provider_members_of_user on provider_members (user_id);
create index provider_members_of_provider on provider_members (provider_id);
