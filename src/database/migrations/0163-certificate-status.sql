-- Where the public status lists have each certificate of which there is a credential. The place stays when the certificate is deleted, so it
-- refers to none: one that is not there counts as withdrawn.
create table certificate_statuses (
  status_index integer generated always as identity primary key,
  certificate_id uuid not null unique
);
