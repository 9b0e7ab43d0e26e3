-- The regrades of an exam or a laboratory are listed, also once the account of who requested them is deleted.
create index regrades_of_assessment on regrades (kind, assessment_id, id);
alter table regrades
  drop constraint regrades_requested_by_fkey,
  add constraint regrades_requested_by_fkey foreign key (requested_by) references users on delete set null;

-- The check gives fewer points where a process that ran at the end of the attempt does not run. The result stays.
alter table regrade_differences add column needs_processes boolean not null default false;
