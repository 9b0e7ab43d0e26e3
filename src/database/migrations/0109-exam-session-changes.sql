-- Whether an exam has sessions is part of the catalogue that every process keeps.
create trigger exam_sessions_planned after insert or delete or update of exam_id or truncate on exam_sessions
  for each statement execute function notify_table_change('catalogue_changed');
