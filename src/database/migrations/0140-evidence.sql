-- What an attempt left when it ended: files in the storage, kept for some days within a disk budget. Without a row nothing is kept any more.
create table attempt_evidence (
  attempt_id integer primary key references attempts on delete cascade,
  -- The container that it is of. A reopened attempt has another one.
  container_uid uuid not null,
  -- `keeping`: the process collects it, and the container is removed afterwards. `failed`: nothing could be kept.
  status text not null check (status in ('keeping', 'kept', 'failed')),
  process_id integer,
  -- The name of its files. Null: none yet.
  key text unique check ((key is null) = (kept_at is null)),
  kept_at timestamptz(3),
  bytes integer not null default 0 check (bytes >= 0),
  -- Of the files of the container, of the list of its paths. 0: they could not be read.
  layer_bytes integer not null default 0 check (layer_bytes >= 0),
  path_bytes integer not null default 0 check (path_bytes >= 0),
  -- What is missing, in stable words.
  notes text[] not null default '{}',
  check (status <> 'kept' or key is not null)
);
create index attempt_evidence_oldest on attempt_evidence (kept_at) where kept_at is not null;

-- `evidence`: of administrators. The disk budget is used up, so old evidence was deleted.
alter table notifications
  drop constraint notifications_kind_check,
  add constraint notifications_kind_check check (kind in ('exam_opens', 'time_left', 'more_time', 'results', 'deadline', 'supervision',
    'hand', 'help', 'report', 'report_answer', 'grade', 'review', 'evidence'));
