-- A pool is a set of tasks of an exam or a laboratory, of which each attempt draws some. Its tasks have the same points, so that each attempt
-- has the same maximum.
alter table assessment_tasks add pool text check (pool ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(pool) <= 100);
-- How many tasks are drawn, by the pools. All of a pool that is not named here are.
alter table assessments add draw json check (json_typeof(draw) = 'object');

-- The maximum of an attempt.
create function max_score_of(of_kind text, of_id integer) returns numeric language sql stable as $$
  select coalesce(sum(score), 0) from (
    select case when pool is null then sum(points)
      else max(points) * least(count(*), coalesce((max(draw::text)::json ->> pool)::integer, count(*))) end as score
    from assessment_tasks as task join assessments on assessments.kind = task.assessment_kind and assessments.id = task.assessment_id
    where assessments.kind = of_kind and assessments.id = of_id group by pool
  ) as pools
$$;

create function check_points_of_pool() returns trigger language plpgsql as $$
  begin
    if exists (select from assessment_tasks where assessment_kind = new.assessment_kind and assessment_id = new.assessment_id
        group by pool having pool is not null and min(points) <> max(points)) then
      raise exception 'the tasks of a pool have different points' using errcode = 'check_violation', constraint = 'assessment_tasks_pool_points';
    end if;
    return null;
  end
$$;
-- At the end of the transaction: several tasks can change at once.
create constraint trigger assessment_tasks_pool_points after insert or update of points, pool on assessment_tasks
  deferrable initially deferred for each row when (new.pool is not null) execute function check_points_of_pool();
