-- An attempt that was reopened ends again, and another review can be asked for. One at a time.
alter table review_requests drop constraint review_requests_attempt_id_key;
create unique index review_requests_waiting on review_requests (attempt_id) where outcome is null;
create index review_requests_of on review_requests (attempt_id);
