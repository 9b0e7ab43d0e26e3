import { type RawBuilder, sql } from 'kysely';

/** Joins the extension of a student, as `own`, to the deadline of a class, of the alias `due`. */
export const ownDeadlineOf = (userId: RawBuilder<unknown> | number) =>
  sql`left join deadline_extensions as own on own.class_id = due.class_id and own.laboratory_id = due.laboratory_id
    and own.user_id = ${userId}`;

/** When the laboratory is due for that student. */
export const ownDueAt = sql<Date>`coalesce(own.due_at, due.due_at)`;
