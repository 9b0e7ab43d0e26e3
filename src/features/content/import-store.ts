import { Readable } from 'node:stream';
import { sql, type Transaction } from 'kysely';
import { isAssessment } from '../../database/catalogue/assessments.ts';
import { type CatalogueLimits, checkFiles } from '../../database/catalogue/catalogue-limits.ts';
import { repositoryIdAt } from '../../database/catalogue/lesson-repositories.ts';
import { replaceSetupFiles } from '../../database/catalogue/setup-files.ts';
import { checkWrittenLimits, lockWrittenFiles, writeRevision } from '../../database/catalogue/written-files.ts';
import type { AttemptKind, Tables } from '../../database/tables.ts';
import { omit } from '../../entities/fields.ts';
import type { Task } from '../../entities/task.ts';
import { toRow } from '../../entities/task-kinds/kinds.ts';
import { openingNames } from './opening-store.ts';
import { ContentRows, type Values } from './rows-store.ts';
import type { Content, ContentChange, ContentFile, ContentKind, CourseContent, WrittenContent } from './schema.ts';

type WithFiles = { slug: string; files: readonly ContentFile[] };

/** Updates the database's content to match the files. Unchanged rows are not written. */
export class ContentWriter {
  readonly #trx: Transaction<Tables>;
  readonly #rows: ContentRows;
  readonly #limits: CatalogueLimits;

  /** @param options.prune removes children of a course, an exam or a laboratory that its file does not list */
  constructor(trx: Transaction<Tables>, options: { prune: boolean; limits: CatalogueLimits }) {
    this.#trx = trx;
    this.#rows = new ContentRows(trx, options.prune);
    this.#limits = options.limits;
  }

  get changes(): ContentChange[] {
    return this.#rows.changes;
  }

  /** Blocks all other writers until the end of the transaction. Reads continue. */
  async lock(content: Content): Promise<void> {
    // Before the tables, as administrators lock them.
    if (content.writtenLessons.length > 0) await lockWrittenFiles(this.#trx);
    await sql`lock table courses, course_repositories, lesson_repositories, sections, themes, assessments, assessment_tasks, sandbox_templates
      in share row exclusive mode`.execute(this.#trx);
  }

  async write(content: Content): Promise<void> {
    await this.lock(content);
    // Lessons refer to them.
    const templates = content.sandboxTemplates;
    await this.#rows.sync({
      table: 'sandbox_templates',
      kind: 'sandbox template',
      order: 'position',
      wanted: templates,
    });
    await this.#writeWritten(content.writtenLessons);
    await this.#writeCourses(content.courses);
    await this.#writeExams(content);
    await this.#writeLaboratories(content);
    await this.#writeOpenings(content);
  }

  /** A file with another content has another revision. Files that these do not contain are left alone. */
  async #writeWritten(files: readonly WrittenContent[]): Promise<void> {
    for (const file of files) {
      const there = this.#trx.selectFrom('written_files').selectAll().where('path', '=', file.path);
      const before = await there.where('digest', 'is not', null).executeTakeFirst();
      const action = before === undefined ? 'created' : before.digest === file.digest ? 'unchanged' : 'updated';
      this.changes.push({
        action,
        kind: 'lesson file',
        name: file.path,
        fields: action === 'updated' ? ['content'] : [],
      });
      if (action === 'unchanged') continue;
      const revision = { path: file.path, content: await wholeContent(file), actorId: null, message: '' };
      await checkWrittenLimits(this.#trx, await writeRevision(this.#trx, before, revision), this.#limits.written);
    }
  }

  async #writeCourses(courses: readonly CourseContent[]): Promise<void> {
    const templates = await this.#trx.selectFrom('sandbox_templates').select(['id', 'slug']).execute();
    const templateIds = new Map(templates.map(({ id, slug }) => [slug, id]));
    const templateOf = ({ sandbox_template: slug }: { sandbox_template?: string | undefined }) => ({
      template_id: slug === undefined ? null : (templateIds.get(slug) ?? null),
    });
    const rows = courses.map((course) => {
      const { slug, name, description, icon, is_active } = course;
      return { slug, name, description, icon, is_active, ...templateOf(course) };
    });
    const ids = await this.#rows.sync({ table: 'courses', kind: 'course', order: 'position', wanted: rows });
    for (const [index, { slug: course, sections, repository, branch }] of courses.entries()) {
      await this.#writeRepository(ids[index] ?? 0, course, { url: repository ?? null, branch: branch ?? null });
      const wanted = sections.map((section) => {
        const { slug, name, is_active, opens_at } = section;
        return { slug, name, is_active, ...templateOf(section), ...timeOf(opens_at) };
      });
      const parent = { column: 'course_id', id: ids[index] ?? 0, name: course } as const;
      const sectionIds = await this.#rows.sync({
        table: 'sections',
        kind: 'section',
        order: 'position',
        parent,
        wanted,
      });
      for (const [place, { slug: section, themes }] of sections.entries()) {
        await this.#rows.sync({
          table: 'themes',
          kind: 'theme',
          order: 'position',
          parent: { column: 'section_id', id: sectionIds[place] ?? 0, name: `${course}/${section}` },
          wanted: themes.map(({ file, sandbox_template, is_written = false, ...theme }) => ({
            ...{ ...theme, markdown_file_path: file, is_written },
            ...templateOf({ sandbox_template }),
          })),
        });
      }
    }
  }

  /** The repository counts as a field of its course. */
  async #writeRepository(
    course_id: number,
    name: string,
    { url, branch }: { url: string | null; branch: string | null },
  ): Promise<void> {
    const courses = this.#trx.selectFrom('courses').select('repository_id').where('id', '=', course_id);
    const { repository_id: before } = await courses.executeTakeFirstOrThrow();
    // One that administrators have added with a key has it afterwards as well.
    const repository_id = url === null ? null : await repositoryIdAt(this.#trx, { url, branch });
    if (repository_id === before) return;
    await this.#trx.deleteFrom('course_repositories').where('course_id', '=', course_id).execute();
    await this.#trx.updateTable('courses').set({ repository_id }).where('id', '=', course_id).execute();
    this.#rows.countField({ kind: 'course', name }, 'repository');
  }

  async #writeExams({ exams }: Content): Promise<void> {
    const courses = await this.#trx.selectFrom('courses').select(['id', 'slug']).execute();
    const courseIds = new Map(courses.map(({ id, slug }) => [slug, id]));
    const wanted = exams.map(({ course, ...exam }) => ({
      ...omit(exam, notColumns),
      ...timeOf(exam.opens_at),
      course_id: course === undefined ? null : (courseIds.get(course) ?? null),
    }));
    await this.#writeAssessments('exam', wanted, exams);
  }

  async #writeLaboratories({ laboratories }: Content): Promise<void> {
    const sections = await this.#trx
      .selectFrom('sections')
      .innerJoin('courses', 'courses.id', 'sections.course_id')
      .select(['sections.id', 'sections.slug', 'courses.slug as course'])
      .execute();
    const sectionIds = new Map(sections.map(({ id, slug, course }) => [`${course}/${slug}`, id]));
    const wanted = laboratories.map(({ section, ...laboratory }) => ({
      ...omit(laboratory, notColumns),
      ...{ ...timeOf(laboratory.opens_at), time_limit_minutes: laboratory.time_limit_minutes ?? null },
      section_id: section === undefined ? null : (sectionIds.get(section) ?? null),
    }));
    await this.#leaveSections(wanted);
    await this.#writeAssessments('laboratory', wanted, laboratories);
  }

  /** What waits for what, once all of it has an id. What is hidden from files stays: they do not name it. */
  async #writeOpenings({ courses, exams, laboratories }: Content): Promise<void> {
    const waiting = [
      ...courses.flatMap(({ slug: course, sections }) =>
        sections.map(({ slug, opens_after }) => ({ kind: 'section' as const, course, slug, opens_after })),
      ),
      ...exams.map(({ kind, course, slug, opens_after }) => ({ kind, course, slug, opens_after })),
      ...laboratories.map(({ kind, section, slug, opens_after }) => ({
        ...{ kind, course: section?.split('/')[0], slug, opens_after },
      })),
    ].filter(({ course, opens_after }) => course !== undefined && opens_after !== undefined);
    if (waiting.length === 0) return;
    const names = await openingNames(this.#trx);
    const byName = new Map(names.map((part) => [`${part.course} ${part.name}`, part]));
    const byKey = new Map(names.map((part) => [`${part.course} ${part.key}`, part]));
    for (const { kind, course, slug, opens_after = [] } of waiting) {
      const part = byName.get(`${course} ${kind}:${slug}`);
      if (!part) continue;
      const after = opens_after.flatMap((name) => byName.get(`${course} ${name}`)?.key ?? []);
      const [table, of] = kind === 'section' ? ['sections', sql`true`] : ['assessments', sql`kind = ${kind}`];
      const isIt = sql`${of} and id = ${Number(part.key.split(':')[1])}`;
      const shown = part.opens_after.filter((key) => after.includes(key) || byKey.get(`${course} ${key}`)?.is_active);
      if (shown.join() === after.join()) continue;
      await sql`update ${sql.table(table)} set opens_after = ${after}::text[] where ${isIt}`.execute(this.#trx);
      this.#rows.countField({ kind, name: kind === 'section' ? `${course}/${slug}` : slug }, 'opens_after');
    }
  }

  async #writeAssessments(
    kind: AttemptKind,
    wanted: readonly Values[],
    contents: readonly (WithFiles & {
      tasks: readonly (Values & WithFiles & Pick<Task, 'kind' | 'verification_script'>)[];
    })[],
  ): Promise<void> {
    const order = kind === 'exam' ? 'own' : 'none';
    const ids = await this.#rows.sync({ table: 'assessments', of: kind, kind, order, wanted });
    for (const [index, content] of contents.entries()) {
      const [assessmentId, { slug, tasks }] = [ids[index] ?? 0, content];
      const parent = { column: 'assessment_id', id: assessmentId, name: slug } as const;
      const fields = tasks.map(({ files: _files, ...task }) => toRow(task).row);
      const taskKind = `${kind} task` as const;
      const taskIds = await this.#rows.sync({
        table: 'assessment_tasks',
        of: kind,
        kind: taskKind,
        order: 'position',
        parent,
        wanted: fields,
      });
      // Administrators change files under this lock.
      const assessment = this.#trx.selectFrom('assessments').select('id').where(isAssessment(kind, assessmentId));
      await assessment.forUpdate().execute();
      await this.#writeFiles({ kind, assessmentId, taskId: null }, { kind, name: slug }, content.files);
      for (const [place, task] of tasks.entries()) {
        const item = { kind: taskKind, name: `${slug}/${task.slug}` };
        await this.#writeFiles({ kind, assessmentId, taskId: taskIds[place] ?? 0 }, item, task.files);
      }
      await checkFiles(this.#trx, { kind, assessmentId }, this.#limits);
    }
  }

  /** Files count as a field of their exam, laboratory or task. */
  async #writeFiles(
    place: { kind: AttemptKind; assessmentId: number; taskId: number | null },
    item: { kind: ContentKind; name: string },
    files: readonly ContentFile[],
  ): Promise<void> {
    const written = files.map((file) => ({ ...file, load: () => wholeContent(file) }));
    if (!(await replaceSetupFiles(this.#trx, place, written))) return;
    this.#rows.countField(item, 'files');
  }

  /** Laboratories that move to another section leave theirs first, so that two can swap. */
  async #leaveSections(
    wanted: readonly { slug: string; section_id: number | null; is_active: boolean }[],
  ): Promise<void> {
    const rows = await this.#trx
      .selectFrom('assessments')
      .select(['id', 'slug', 'section_id', 'is_active'])
      .where('section_id', 'is not', null)
      .execute();
    const target = new Map(wanted.map((laboratory) => [laboratory.slug, laboratory]));
    const leaving = rows.filter(({ slug, section_id, is_active }) => {
      const next = target.get(slug ?? '');
      return next && (next.section_id !== section_id || (is_active && !next.is_active));
    });
    if (leaving.length === 0) return;
    const ids = leaving.map(({ id }) => id);
    const laboratories = this.#trx.updateTable('assessments').where('kind', '=', 'laboratory');
    await laboratories.set({ section_id: null }).where('id', 'in', ids).execute();
  }
}

/** What files have beside the columns of an exam or a laboratory, or what is written on its own. */
const notColumns = ['format', 'kind', 'tasks', 'files', 'opens_at', 'opens_after'] as const;

/** Absent: the time stays. */
const timeOf = (opens_at: string | null | undefined): { opens_at?: Date | null } =>
  opens_at === undefined ? {} : { opens_at: opens_at === null ? null : new Date(opens_at) };

async function wholeContent({ path, bytes, read }: WrittenContent): Promise<Buffer> {
  const content = Buffer.concat(await Readable.from(read()).toArray());
  if (content.length !== bytes) throw new Error(`${path} was changed while it was imported`);
  return content;
}
