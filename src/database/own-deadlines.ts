import { type RawBuilder, sql } from 'kysely';

/** Joins the extension of a student, as `own`, to the deadline of a class, of the alias `due`. */
export const ownDeadlineOf = (userId: RawBuilder<unknown> | number) =>
  sql`left join deadline_extensions as own on own.class_id = due.class_id and own.laboratory_id = due.laboratory_id
    and own.user_id = ${userId}`;

/** When the laboratory is due for that student. */
export const ownDueAt = sql<Date>`coalesce(own.due_at, due.due_at)`;

/** How late an attempt of the table `attempts` was submitted, by the deadline of its student. Nothing is lost without a deadline. */
export const latenessOf = (classId: RawBuilder<unknown> | number) => sql`select coalesce(days, 0) as days,
    coalesce(late_percent(days, late_percent_per_day, late_floor_percent), 0) as lost
  from (values (1)) as one
  left join laboratory_deadlines as due on attempts.kind = due.laboratory_kind and due.laboratory_id = attempts.assessment_id
    and due.class_id = ${classId} and due.late_percent_per_day is not null
  ${ownDeadlineOf(sql`attempts.user_id`)}
  cross join lateral days_late(attempts.submitted_at, ${ownDueAt}) as days`;
