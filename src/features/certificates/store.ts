import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Static } from 'typebox';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import { hasShownResults } from '../../database/exam-session-rules.ts';
import { type Page, readList } from '../../database/lists/keyset.ts';
import type { CertificatesTable } from '../../database/tables.ts';
import { statusesOfList } from '../../values/certificate-lists.ts';
import type { NewCertificate, OwnCertificateSchema } from './schema.ts';

export type CertificateRow = Selectable<CertificatesTable>;
/** With the id of the exam or the course. Null in `id`, `name` and `created_at`: it can be created. */
export type OwnCertificate = Static<typeof OwnCertificateSchema>;

/** Of attempts: passed as far as their student can know, as what waits for it in a course. */
const isPassed = sql<boolean>`(attempts.passed and ${statusSql.isGraded('attempts')} and ${sql.raw(hasShownResults)})`;

/** The exams and courses for which a user can have a certificate and has none. Test students earn none. */
const earned = (userId: number): RawBuilder<unknown> => sql`(
  (select distinct on (attempts.assessment_id) 'exam' as kind, attempts.assessment_id as part_id, attempts.id as attempt_id, attempts.title,
    coalesce(attempts.submitted_at, attempts.expires_at, attempts.created_at) as earned_at
  from attempts join assessments as a on a.kind = attempts.kind and a.id = attempts.assessment_id and a.has_certificate
  where attempts.user_id = ${userId} and attempts.user_id > 0 and attempts.kind = 'exam' and ${isPassed} and exam_stands(attempts)
    and not exists (select from certificates join attempts as other on other.id = certificates.attempt_id
      where certificates.user_id = ${userId} and withdrawn_at is null and other.assessment_id = attempts.assessment_id)
  order by attempts.assessment_id, attempts.score desc, attempts.id)
  union all
  select 'course', courses.id, null, courses.name, done.at
  from courses
  cross join lateral (
    select bool_and(part.at is not null) as is_finished, max(part.at) as at from (
      select (select completed_at from theme_progress where user_id = ${userId} and theme_id = themes.id and completed) as at
        from themes join sections on sections.id = themes.section_id
        where sections.course_id = courses.id and sections.is_active
      union all select (select min(coalesce(attempts.submitted_at, attempts.created_at)) from attempts
          where attempts.user_id = ${userId} and attempts.kind = 'laboratory' and attempts.assessment_id = a.id and ${isPassed})
        from assessments as a join sections on sections.id = a.section_id
        where a.kind = 'laboratory' and a.is_active and sections.course_id = courses.id and sections.is_active
    ) as part) as done
  where courses.has_certificate and courses.is_active and done.is_finished and ${userId} > 0
    and not exists (select from certificates where user_id = ${userId} and withdrawn_at is null and course_id = courses.id))`;

const own = (userId: number): RawBuilder<unknown> => sql`(
  select null::uuid as id, kind, part_id, attempt_id, title, null::text as name, earned_at, null::timestamptz as created_at,
    null::timestamptz as withdrawn_at from ${earned(userId)} as earned
  union all
  select certificates.id, certificates.kind, coalesce(course_id, attempts.assessment_id), attempt_id, certificates.title, name, earned_at,
    certificates.created_at, withdrawn_at
  from certificates left join attempts on attempts.id = attempt_id where certificates.user_id = ${userId})`;

/** The certificates that students create, which anybody with the id reads. */
export class CertificateStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Those of a user: first what can be created, then the newest. */
  async list(userId: number, page: Page): Promise<{ rows: OwnCertificate[]; total: number }> {
    const order = sql`created_at desc nulls first, earned_at desc, kind, part_id`;
    return await readList(this.#db, { columns: sql`*`, from: sql`${own(userId)} as own`, order }, page);
  }

  /** @returns undefined if the user has not earned it, or has one already */
  async create(userId: number, { kind, part_id, name }: NewCertificate): Promise<CertificateRow | undefined> {
    return await this.#db.transaction().execute(async (trx) => {
      // Grades change with the row of an attempt. Whoever changes one now is waited for, and whoever does later finds the certificate.
      await sql`select from attempts where user_id = ${userId} and case when kind = 'exam' then ${kind === 'exam'} and assessment_id = ${part_id}
        else ${kind === 'course'} and assessment_id in (select a.id from assessments as a join sections on sections.id = a.section_id
          where a.kind = 'laboratory' and sections.course_id = ${part_id}) end for share`.execute(trx);
      const { rows } = await sql<CertificateRow>`
        insert into certificates (user_id, kind, attempt_id, course_id, title, name, earned_at)
        select ${userId}::int, kind, attempt_id, case kind when 'course' then part_id end, title, ${name}, earned_at
        from ${earned(userId)} as earned where kind = ${kind} and part_id = ${part_id}
        on conflict do nothing returning *`.execute(trx);
      return rows[0];
    });
  }

  async byId(id: string): Promise<CertificateRow | undefined> {
    return await this.#db.selectFrom('certificates').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /** @returns whether the user had it */
  async delete(userId: number, id: string): Promise<boolean> {
    const deleted = await this.#db
      .deleteFrom('certificates')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return deleted.numDeletedRows > 0n;
  }

  /** The place of a certificate in the status lists. It gets one with its first credential. */
  async statusIndex(id: string): Promise<number> {
    const { status_index } = await this.#db
      .insertInto('certificate_statuses')
      .values({ certificate_id: id })
      .onConflict((conflict) => conflict.column('certificate_id').doUpdateSet({ certificate_id: id }))
      .returning('status_index')
      .executeTakeFirstOrThrow();
    return status_index;
  }

  /** The indexes of a status list whose certificates are withdrawn or deleted. */
  async withdrawn(list: number): Promise<number[]> {
    const first = list * statusesOfList;
    const { rows } = await sql<{ status_index: number }>`select status_index
      from certificate_statuses left join certificates on certificates.id = certificate_id
      where status_index >= ${first}::bigint and status_index < ${first + statusesOfList}::bigint
        and (certificates.id is null or withdrawn_at is not null)`.execute(this.#db);
    return rows.map(({ status_index }) => status_index);
  }

  /** Of an exam or a course, for the credential. Null once it is deleted. */
  async partOf({ attempt_id, course_id }: CertificateRow): Promise<number | null> {
    if (attempt_id === null) return course_id;
    const attempt = this.#db.selectFrom('attempts').select('assessment_id').where('id', '=', attempt_id);
    return (await attempt.executeTakeFirst())?.assessment_id ?? null;
  }
}
