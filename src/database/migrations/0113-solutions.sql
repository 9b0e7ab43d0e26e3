-- The worked solution of a task in Markdown, and when students see it.
alter table assessment_tasks
  add solution text not null default '',
  add solution_visible text not null default 'never'
    check (solution_visible in ('never', 'after_passing', 'after_due', 'after_close'));
