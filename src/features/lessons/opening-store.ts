import { sql } from 'kysely';
import { statusSql } from '../../database/attempt-status.ts';
import type { Database } from '../../database/connection/connect.ts';
import { hasShownResults } from '../../database/exam-session-rules.ts';

/** What is waited for: lessons that are to be complete, or a laboratory or an exam that is to be passed. */
export type Condition = {
  kind: 'section' | 'theme' | 'laboratory' | 'exam';
  id: number;
  title: string;
  theme_ids: number[];
};

/** When a section, an exam or a laboratory opens. */
export type OpeningRule = {
  kind: 'section' | 'exam' | 'laboratory';
  id: number;
  course_id: number | null;
  /** That a laboratory is in. */
  section_id: number | null;
  opens_at: Date | null;
  /** Whether some class has a time of its own. */
  has_own_times: boolean;
  conditions: Condition[];
};

/** When what opens, and what students have completed of what it waits for. */
export class OpeningStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Those of everything that does not simply stand open. A laboratory is in the list where its section is. */
  async rules(): Promise<OpeningRule[]> {
    const { rows } = await sql<OpeningRule>`
      with visible as (select sections.* from sections where is_active),
      awaited as (
        select 'section' as kind, id, course_id, name as title, array(select id from themes where section_id = visible.id) as theme_ids
          from visible
        union all select 'theme', themes.id, course_id, title, array[themes.id] from themes join visible on visible.id = section_id
        union all select a.kind, a.id, coalesce(a.course_id, visible.course_id), title, '{}'
          from assessments as a left join visible on visible.id = a.section_id where a.is_active),
      things as (
        select 'section' as kind, id, course_id, null::int as section_id, opens_at, opens_after,
            exists (select from class_openings where section_id = sections.id) as has_own_times from sections where is_active
        union all select a.kind, a.id, coalesce(a.course_id, sections.course_id), a.section_id, a.opens_at, a.opens_after,
            exists (select from class_openings where assessment_kind = a.kind and assessment_id = a.id)
          from assessments as a left join sections on sections.id = a.section_id where a.is_active),
      ruled as (select * from things where opens_at is not null or opens_after <> '{}' or has_own_times)
      select kind, id, course_id, section_id, opens_at, has_own_times,
        (select coalesce(json_agg(json_build_object('kind', awaited.kind, 'id', awaited.id, 'title', title, 'theme_ids', theme_ids)
            order by place), '[]')
          from unnest(opens_after) with ordinality as named (key, place)
            join awaited on awaited.kind || ':' || awaited.id = key and awaited.course_id = things.course_id) as conditions
      from things where exists (select from ruled where ruled.kind = things.kind and ruled.id = things.id)
        or section_id in (select id from ruled where kind = 'section')
      order by kind, id`.execute(this.#db);
    return rows;
  }

  /** The times of the student's own classes, by `section:3`: of several the first one. */
  async ownTimes(userId: number): Promise<Map<string, Date>> {
    const { rows } = await sql<{ key: string; opens_at: Date }>`
      select coalesce('section:' || own.section_id, own.assessment_kind || ':' || own.assessment_id) as key, min(own.opens_at) as opens_at
      from class_openings as own
      join own_memberships as member on member.class_id = own.class_id and member.user_id = ${userId} and member.role = 'student'
      join classes on classes.id = own.class_id and not classes.is_archived
      left join assessments as a on a.kind = own.assessment_kind and a.id = own.assessment_id
      left join sections on sections.id = coalesce(own.section_id, a.section_id)
      join class_courses on class_courses.class_id = own.class_id
        and class_courses.course_id = coalesce(sections.course_id, a.course_id)
      group by 1`.execute(this.#db);
    return new Map(rows.map(({ key, opens_at }) => [key, opens_at]));
  }

  /** Those of these laboratories and exams, such as `exam:9`, that the user has passed as far as the user can know. */
  async passed(userId: number, keys: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await sql<{ key: string }>`select distinct kind || ':' || assessment_id as key from attempts
      where user_id = ${userId} and kind || ':' || assessment_id = any(${[...keys]}::text[])
        and passed and ${statusSql.isGraded()} and ${sql.raw(hasShownResults)}`.execute(this.#db);
    return new Set(rows.map(({ key }) => key));
  }

  /** The time of the database, which all processes share. */
  async now(): Promise<Date> {
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(this.#db);
    return (rows[0] as { now: Date }).now;
  }
}
