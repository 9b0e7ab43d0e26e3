import { type Insertable, type Selectable, sql, type Transaction } from 'kysely';
import { type CatalogueLimits, checkLimits } from '../../database/catalogue/catalogue-limits.ts';
import { type CopiedIds, copyAssessments, copyOf, copyReferred, copyRows } from '../../database/catalogue/copies.ts';
import { imageRefusals, inTransaction } from '../../database/catalogue/refusals.ts';
import { checkWrittenLimits, lockWrittenFiles } from '../../database/catalogue/written-files.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { CoursesTable, Tables } from '../../database/tables.ts';
import { ConflictError, found } from '../../errors.ts';
import { courseFolder } from '../../values/course-folder.ts';
import { addOwner } from './store.ts';

/** The rows of courses, with their rules. */
type Courses = {
  create: (
    actorId: number,
    fields: Omit<Insertable<CoursesTable>, 'slug'>,
    within: Transaction<Tables>,
  ) => Promise<{ id: number }>;
};

const refusals = {
  ...imageRefusals,
  // An administrator wrote files into the folder of a course that was still to come.
  written_files_path_key: () => new ConflictError('path_conflict', 'There is a file in the folder of the copy already'),
};

/** Copies courses for another term. The number of statements does not depend on what a course has. */
export class CourseCopyStore {
  readonly #db: Database;
  readonly #limits: CatalogueLimits;
  readonly #courses: Courses;
  readonly #onChange: () => void;

  /** @param onChange is called after each copy: cached rows are out of date */
  constructor(db: Database, limits: CatalogueLimits, courses: Courses, onChange: () => void) {
    [this.#db, this.#limits] = [db, limits];
    [this.#courses, this.#onChange] = [courses, onChange];
  }

  /**
   * A hidden course with all but the people. Its exams and laboratories are drafts.
   * @param name default: that of the course
   * @returns its id
   * @throws NotFoundError; ConflictError beyond a maximum, and for an image that cannot be used
   */
  async copy(actorId: number, courseId: number, name: string | undefined): Promise<number> {
    const copied = await inTransaction(this.#db, refusals, async (trx) => {
      await lockWrittenFiles(trx);
      const course = found(await lockCourse(trx, courseId), 'Course');
      const { id: _id, slug: _slug, order_index: _order, ...fields } = course;
      const own = { name: name ?? course.name, is_active: false };
      const { id } = await this.#courses.create(actorId, { ...fields, ...own }, trx);
      await addOwner(trx, actorId, id);
      for (const table of ['course_grants', 'course_repositories'])
        await copyRows(trx, table, sql`course_id = ${courseId}`, { course_id: sql`${id}::integer` });
      await this.#copyFiles(trx, { from: courseFolder(courseId), to: courseFolder(id), actorId });
      await copyParts(trx, courseId, id);
      await checkLimits(trx, this.#limits);
      return id;
    });
    this.#onChange();
    return copied;
  }

  /** The files of lessons that are written in the pages, each with its newest revision. */
  async #copyFiles(
    trx: Transaction<Tables>,
    { from, to, actorId }: { from: string; to: string; actorId: number },
  ): Promise<void> {
    const path = inFolder('path', from, to);
    const files = sql`digest is not null and starts_with(path, ${from})`;
    await copyRows(trx, 'written_files', files, { path, revision: sql`1`, changed_at: sql`now()` });
    await sql`insert into written_revisions (file_id, revision, path, digest, bytes, author_id)
      select id, revision, path, digest, bytes, ${actorId}::integer from written_files where digest is not null and starts_with(path, ${to})`.execute(
      trx,
    );
    const copy = trx.selectFrom('written_files').select('path').where(sql<boolean>`starts_with(path, ${to})`);
    const first = await copy.limit(1).executeTakeFirst();
    if (first) await checkWrittenLimits(trx, first, this.#limits.written);
  }
}

const inFolder = (column: string, from: string, to: string) =>
  sql`${to}::text || substr(${sql.ref(`t.${column}`)}, length(${from}) + 1)`;

/** Keeps what is copied as it is until the end of the transaction: what is added meanwhile may be missing from the copy. */
async function lockCourse(trx: Transaction<Tables>, id: number): Promise<Selectable<CoursesTable> | undefined> {
  const course = await trx.selectFrom('courses').selectAll().where('id', '=', id).forShare().executeTakeFirst();
  await sql`select from sections where course_id = ${id} order by id for share`.execute(trx);
  await sql`select from assessments as t where ${isOf(id)} order by kind, id for share`.execute(trx);
  return course;
}

const isOf = (courseId: number) =>
  sql`(t.course_id = ${courseId} or t.section_id in (select id from sections where course_id = ${courseId}))`;

async function copyParts(trx: Transaction<Tables>, courseId: number, id: number): Promise<void> {
  const inCopy = { course_id: sql`${id}::integer` };
  const sections = await copyReferred(trx, 'sections', {
    ...{ of: sql`course_id = ${courseId}`, key: sql`'section:' || t.id`, changes: inCopy },
  });
  const section_id = copyOf(sections, sql`'section:' || t.section_id`);
  const [from, to] = [courseFolder(courseId), courseFolder(id)];
  const themes = await copyReferred(trx, 'themes', {
    ...{ of: sql`${section_id} is not null`, key: sql`'theme:' || t.id` },
    changes: {
      section_id,
      markdown_file_path: sql`case when is_written and starts_with(markdown_file_path, ${from})
        then ${inFolder('markdown_file_path', from, to)} else markdown_file_path end`,
    },
  });
  const assessments = await copyAssessments(trx, isOf(courseId), {
    course_id: sql`case when t.course_id is not null then ${id}::integer end`,
    section_id,
  });
  await renameOpenings(trx, id, { ...sections, ...themes, ...assessments });
}

/** Lets the parts of a copy wait for each other as those of its course do. What is not of the course is not waited for. */
async function renameOpenings(trx: Transaction<Tables>, courseId: number, ids: CopiedIds): Promise<void> {
  for (const [table, of] of [
    ['sections', sql`t.course_id = ${courseId}`],
    ['assessments', isOf(courseId)],
  ] as const)
    await sql`update ${sql.table(table)} as t set opens_after = array(
        select split_part(key, ':', 1) || ':' || ${copyOf(ids, sql`key`)} from unnest(opens_after) with ordinality as names (key, place)
        where ${copyOf(ids, sql`key`)} is not null order by place)
      where opens_after <> '{}' and ${of}`.execute(trx);
}
