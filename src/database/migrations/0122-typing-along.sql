-- Bytes of input of those who typed along with the user of a shell. The user's own are counted without them, also by the next process.
alter table terminals add column helper_bytes bigint not null default 0 check (helper_bytes >= 0);
