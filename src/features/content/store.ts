import { sql, type Transaction } from 'kysely';
import type { Database } from '../../database/connect.ts';
import type { Tables } from '../../database/tables.ts';
import type { Content, CourseContent, ExamContent, LaboratoryContent, SandboxTemplateContent } from './schema.ts';

/** Writes content; `order_index` is the position in its file, from 1, or among the files in the order of their names. */
export class ContentStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Whether there is no course, no exam, no laboratory and no sandbox template, active or not. */
  async isEmpty(): Promise<boolean> {
    return await isEmpty(this.#db);
  }

  /**
   * Writes all of it, or nothing where the database is not empty. Of several processes that try at once one writes.
   * @returns whether it was written
   */
  async saveIfEmpty(content: Content): Promise<boolean> {
    return await this.#db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtext('content'))`.execute(trx);
      if (!(await isEmpty(trx))) return false;
      const courseIds = new Map<string, number>();
      const sectionIds = new Map<string, number>();
      for (const [index, course] of content.courses.entries()) {
        courseIds.set(course.slug, await insertCourse(trx, course, index + 1, sectionIds));
      }
      for (const [index, exam] of content.exams.entries()) {
        await insertExam(trx, exam, index + 1, exam.course === undefined ? null : (courseIds.get(exam.course) ?? null));
      }
      for (const laboratory of content.laboratories) {
        await insertLaboratory(trx, laboratory, sectionIds.get(laboratory.section ?? '') ?? null);
      }
      await insertTemplates(trx, content.sandboxTemplates);
      return true;
    });
  }
}

async function isEmpty(db: Pick<Database, 'selectFrom'>): Promise<boolean> {
  const row = await db
    .selectFrom('courses')
    .select('id')
    .unionAll(db.selectFrom('exams').select('id'))
    .unionAll(db.selectFrom('laboratories').select('id'))
    .unionAll(db.selectFrom('sandbox_templates').select('id'))
    .limit(1)
    .executeTakeFirst();
  return row === undefined;
}

/** @param sectionIds takes the ids of its sections, by `course/section` */
async function insertCourse(
  trx: Transaction<Tables>,
  course: CourseContent,
  order_index: number,
  sectionIds: Map<string, number>,
): Promise<number> {
  const { slug, name, description, icon } = course;
  const { id: course_id } = await trx
    .insertInto('courses')
    .values({ slug, name, description, icon, order_index })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const [index, section] of course.sections.entries()) {
    const { id: section_id } = await trx
      .insertInto('sections')
      .values({ course_id, slug: section.slug, name: section.name, order_index: index + 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    sectionIds.set(`${slug}/${section.slug}`, section_id);
    const themes = section.themes.map(({ file, ...theme }, position) => ({
      ...theme,
      section_id,
      markdown_file_path: file,
      order_index: position + 1,
    }));
    if (themes.length > 0) await trx.insertInto('themes').values(themes).execute();
  }
  return course_id;
}

async function insertExam(
  trx: Transaction<Tables>,
  exam: ExamContent,
  order_index: number,
  course_id: number | null,
): Promise<void> {
  const { slug, title, description, container_image, time_limit_minutes, passing_score } = exam;
  const { id: exam_id } = await trx
    .insertInto('exams')
    .values({ slug, title, description, container_image, time_limit_minutes, passing_score, course_id, order_index })
    .returning('id')
    .executeTakeFirstOrThrow();
  const tasks = exam.tasks.map((task, index) => ({ ...task, exam_id, order_index: index + 1 }));
  await trx.insertInto('exam_tasks').values(tasks).execute();
}

async function insertLaboratory(
  trx: Transaction<Tables>,
  laboratory: LaboratoryContent,
  section_id: number | null,
): Promise<void> {
  const { slug, title, description, container_image, time_limit_minutes = null, passing_score } = laboratory;
  const { id: laboratory_id } = await trx
    .insertInto('laboratories')
    .values({ slug, title, description, container_image, time_limit_minutes, passing_score, section_id })
    .returning('id')
    .executeTakeFirstOrThrow();
  const tasks = laboratory.tasks.map((task, index) => ({ ...task, laboratory_id, order_index: index + 1 }));
  await trx.insertInto('laboratory_tasks').values(tasks).execute();
}

async function insertTemplates(trx: Transaction<Tables>, templates: readonly SandboxTemplateContent[]): Promise<void> {
  const rows = templates.map((template, index) => ({ ...template, order_index: index + 1 }));
  if (rows.length > 0) await trx.insertInto('sandbox_templates').values(rows).execute();
}
