import { sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import type { Catalogue, Exam, Laboratory, Theme } from './plan-store.ts';

/** What students of the installation can learn. */
export async function readCatalogue(db: Database): Promise<Catalogue> {
  const { rows: themes } = await sql<Theme>`
    select themes.id, themes.title, courses.id as course_id, sections.id as section_id, markdown_file_path
    from themes join sections on sections.id = section_id join courses on courses.id = course_id
    where courses.is_active and sections.is_active
    order by courses.order_index, courses.id, sections.order_index, sections.id, themes.order_index, themes.id`.execute(
    db,
  );
  const { rows: exams } = await sql<Exam>`${assessments('exam')} and assessment.time_limit_minutes is not null
    order by assessment.order_index, assessment.id`.execute(db);
  const { rows: laboratories } = await sql<Laboratory>`${assessments('laboratory')} order by assessment.id`.execute(db);
  const courses = await db
    .selectFrom('courses')
    .select(['id', 'name'])
    .where('is_active', '=', true)
    .orderBy('order_index')
    .orderBy('id')
    .execute();
  return { courses, themes, exams, laboratories };
}

const assessments = (kind: 'exam' | 'laboratory') => {
  const [table, tasks] = kind === 'exam' ? ['exams', 'exam_tasks'] : ['laboratories', 'laboratory_tasks'];
  return sql`select assessment.*, task.list as tasks from ${sql.table(table)} as assessment cross join lateral (
      select jsonb_agg(jsonb_build_object('id', id, 'title', title, 'points', points, 'order_index', order_index)
        order by order_index, id) as list
      from ${sql.table(tasks)} as tasks where ${sql.ref(`tasks.${kind}_id`)} = assessment.id) as task
    where assessment.is_active and task.list is not null`;
};
