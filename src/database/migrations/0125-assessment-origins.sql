-- What a copy of an exam or a laboratory is of, through all copies in between: the results of terms are compared by it. It is no foreign key,
-- because the copies of what was deleted still belong together.
alter table assessments add origin_id integer;
