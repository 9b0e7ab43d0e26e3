import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import { fillText } from '../../../packages/placeholders/placeholders.ts';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { Page } from '../../database/lists/keyset.ts';
import { shownName } from '../../database/lists/shown-name.ts';
import { seesAttempt } from '../../database/lists/student-scope.ts';
import type { AttemptKind } from '../../database/tables.ts';
import { found } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { Variant } from '../../values/variant.ts';
import type { OwnReportSchema, TaskReportsSchema } from './report-schema.ts';

/** One task of an exam or a laboratory. */
export type TaskPlace = { kind: AttemptKind; assessmentId: number; taskId: number };
type OwnReport = Static<typeof OwnReportSchema>;
type ReportedTask = Omit<Static<typeof TaskReportsSchema>, 'reports'>;
type Report = Static<typeof TaskReportsSchema>['reports'][number];

/** Characters of the output of a check that a report keeps: its end. */
const maxOutput = 8000;
/** Reports of one task in an answer. One answer is for all, so a few tell what is wrong. */
const maxListed = 20;

const open = sql`task_reports as report join attempts on attempts.id = report.attempt_id
  join assessments on assessments.kind = attempts.kind and assessments.id = attempts.assessment_id
  left join sections on sections.id = assessments.section_id`;
const courseId = sql`coalesce(sections.course_id, assessments.course_id)`;

/** The notification of the staff about a task, and that of a student who has reported it. */
const keyOf = (kind: 'report' | 'report_answer', task: TaskPlace): string => `${kind}:${task.kind}:${task.taskId}`;

/** Students report that something is wrong with a task, and the staff of the course answer all of them at once. */
export class ReportStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The caller's own about the tasks of an assessment. */
  async own(caller: Caller, kind: AttemptKind, assessmentId: number): Promise<OwnReport[]> {
    return await this.#own(
      sql`report.user_id = ${caller.id} and report.kind = ${kind} and attempts.assessment_id = ${assessmentId}`,
    );
  }

  /** A second report of a task replaces the first, and its answer. @throws NotFoundError without an attempt that has the task */
  async report(caller: Caller, task: TaskPlace, text: string): Promise<OwnReport> {
    const { kind, assessmentId, taskId } = task;
    const id = await this.#db.transaction().execute(async (trx) => {
      const { rows: attempts } = await sql<{
        id: number;
        title: string;
        variant: Variant | null;
        output: string | null;
      }>`
        select * from (
          select attempts.id, variant, right(result.output, ${maxOutput}) as output, coalesce(
            (select one ->> 'title' from jsonb_array_elements(revision.content -> 'tasks') as one where (one ->> 'id')::int = ${taskId}),
            result.title,
            (select title from assessment_tasks as task where attempts.revision_id is null and task.id = ${taskId}
              and task.assessment_kind = attempts.kind and task.assessment_id = attempts.assessment_id)) as title
          from attempts left join assessment_revisions as revision on revision.id = attempts.revision_id
          left join task_results as result on result.attempt_id = attempts.id and result.task_id = ${taskId}
          where attempts.user_id = ${caller.id} and attempts.kind = ${kind} and attempts.assessment_id = ${assessmentId}
            and ${statusSql.hasLeftQueue('attempts')}
            and coalesce(variant -> 'task_ids' @> to_jsonb(${taskId}::int), true)
        ) as own where title is not null order by id desc limit 1`.execute(trx);
      const attempt = found(attempts[0], 'Task');
      const values = attempt.variant?.values[taskId];
      const title = values ? fillText(attempt.title, values) : attempt.title;
      const { rows: before } = await sql<{ answer: string | null }>`select answer from task_reports
        where user_id = ${caller.id} and kind = ${kind} and task_id = ${taskId} for update`.execute(trx);
      const { rows: written } = await sql<{ id: number }>`
        insert into task_reports (user_id, attempt_id, kind, task_id, task_title, text, output)
        values (${caller.id}, ${attempt.id}, ${kind}, ${taskId}, ${title}, ${text}, ${attempt.output})
        on conflict (user_id, kind, task_id) do update set attempt_id = excluded.attempt_id, task_title = excluded.task_title,
          text = excluded.text, output = excluded.output, reported_at = now(), answer = null, answered_by = null, answered_at = null
        returning id`.execute(trx);
      // What is reported again before an answer is no news.
      if (before[0]?.answer !== null) await notifyStaff(trx, task, attempt.id);
      await sql`delete from notifications where user_id = ${caller.id} and key = ${keyOf('report_answer', task)}`.execute(
        trx,
      );
      return found(written[0], 'Report').id;
    });
    return found((await this.#own(sql`report.id = ${id}`))[0], 'Report');
  }

  /** The tasks with reports without an answer, those first that wait longest. @param course undefined: of all courses, and of none */
  async tasks(caller: Caller, page: Page, course: number | undefined) {
    const where = sql`report.answer is null and ${course === undefined ? sql`true` : sql`${courseId} = ${course}`}`;
    const { rows: tasks } = await sql<ReportedTask>`
      select report.kind, assessments.id as assessment_id, assessments.title as assessment_title, ${courseId} as course_id, report.task_id,
        (array_agg(report.task_title order by report.id desc))[1] as task_title, count(*)::int as report_count,
        not exists (select from assessment_tasks as task where task.assessment_kind = report.kind and task.id = report.task_id) as is_deleted
      from ${open} where ${where}
      group by report.kind, report.task_id, assessments.id, assessments.title, sections.course_id, assessments.course_id
      order by min(report.reported_at), report.kind, report.task_id limit ${page.limit} offset ${page.offset}`.execute(
      this.#db,
    );
    const counted = await sql<{ total: number }>`select count(distinct (report.kind, report.task_id))::int as total
      from ${open} where ${where}`.execute(this.#db);
    const reports = await this.#reports(caller, tasks);
    const rows = tasks.map((task) => ({
      ...task,
      reports: reports.filter((one) => one.kind === task.kind && one.task_id === task.task_id),
    }));
    return { rows, total: counted.rows[0]?.total ?? 0 };
  }

  /** One answer to all who have reported a task and have none yet. @throws NotFoundError if there are none */
  async answer(caller: Caller, task: TaskPlace, text: string): Promise<{ answered_count: number }> {
    const { kind, assessmentId, taskId } = task;
    return await this.#db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ user_id: number; attempt_id: number }>`
        update task_reports as report set answer = ${text}, answered_by = ${caller.id}, answered_at = now() from attempts
        where attempts.id = report.attempt_id and attempts.assessment_id = ${assessmentId}
          and report.kind = ${kind} and report.task_id = ${taskId} and report.answer is null
        returning report.user_id, report.attempt_id`.execute(trx);
      found(rows[0], 'Report');
      await sql`delete from notifications where kind = 'report' and key = ${keyOf('report', task)}`.execute(trx);
      await sql`insert into notifications (user_id, key, kind, attempt_id)
        select user_id, ${keyOf('report_answer', task)}::text, 'report_answer', attempt_id
        from unnest(${rows.map(({ user_id }) => user_id)}::int[], ${rows.map(({ attempt_id }) => attempt_id)}::int[])
          as reporter (user_id, attempt_id)
        on conflict (user_id, key) do update set attempt_id = excluded.attempt_id, created_at = now(), read_at = null`.execute(
        trx,
      );
      return { answered_count: rows.length };
    });
  }

  async #own(condition: RawBuilder<unknown>): Promise<OwnReport[]> {
    const { rows } = await sql<OwnReport>`
      select report.id, report.task_id, report.text, report.reported_at, report.answer, report.answered_at,
        (select ${shownName('writer')} from users as writer where writer.id = report.answered_by) as answered_by
      from task_reports as report join attempts on attempts.id = report.attempt_id
      where ${condition} order by report.id`.execute(this.#db);
    return rows;
  }

  async #reports(caller: Caller, tasks: readonly ReportedTask[]) {
    const [kinds, ids] = [tasks.map(({ kind }) => kind), tasks.map(({ task_id }) => task_id)];
    const { rows } = await sql<Report & Pick<ReportedTask, 'kind' | 'task_id'>>`
      select report.* from unnest(${kinds}::text[], ${ids}::int[]) as chosen (kind, task_id) cross join lateral (
        select report.id, report.kind, report.task_id, report.user_id, users.username, users.full_name, report.attempt_id, report.text,
          report.output, report.reported_at, attempts.revision,
          coalesce(assessments.revision > attempts.revision, false) as is_revised, coalesce(${seesAttempt(caller)}, false) as is_attempt_visible
        from task_reports as report join users on users.id = report.user_id join attempts on attempts.id = report.attempt_id
        left join assessments on assessments.kind = attempts.kind and assessments.id = attempts.assessment_id
        where report.kind = chosen.kind and report.task_id = chosen.task_id and report.answer is null
        order by report.reported_at desc, report.id desc limit ${maxListed}
      ) as report`.execute(this.#db);
    return rows;
  }
}

/** Owners and editors of the course. Where there are none, administrators. A further report of a task is news to those who have read the last. */
async function notifyStaff(db: Database, task: TaskPlace, attemptId: number): Promise<void> {
  await sql`with staff as (
      select users.id from attempts
      join assessments on assessments.kind = attempts.kind and assessments.id = attempts.assessment_id
      left join sections on sections.id = assessments.section_id
      join course_staff on course_staff.course_id = ${courseId} and course_staff.role <> 'viewer'
      join users on users.id = course_staff.user_id and users.id > 0 and users.role <> 'student' and users.is_active
      where attempts.id = ${attemptId}
    )
    insert into notifications as n (user_id, key, kind, attempt_id)
    select id, ${keyOf('report', task)}::text, 'report', ${attemptId}::int from (
      select id from staff
      union all select id from users where id > 0 and role = 'admin' and is_active and not exists (select from staff)
    ) as reader
    on conflict (user_id, key) do update set attempt_id = excluded.attempt_id, created_at = now(), read_at = null
      where n.read_at is not null`.execute(db);
}
