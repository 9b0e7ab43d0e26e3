-- Tasks with parameters. Each attempt draws a value of each, which is kept with it.
alter table assessment_tasks add parameters json check (json_typeof(parameters) = 'object');
-- The seed and what was drawn by it. Null: there was nothing to draw.
alter table attempts add variant jsonb;
create index attempts_variant on attempts (kind, assessment_id, session_id, id) where variant is not null;
alter table assessment_revisions add is_varied boolean not null default false;
