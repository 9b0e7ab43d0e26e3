alter table assessment_tasks add has_partial_credit boolean not null default false;
alter table task_results add has_partial_credit boolean not null default false;
