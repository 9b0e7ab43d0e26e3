import type { Selectable, Transaction } from 'kysely';
import { allSetupFiles, contentOf, type SetupFile } from '../../database/catalogue/setup-files.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { AssessmentsTable, AssessmentTasksTable, AttemptKind, Tables } from '../../database/tables.ts';
import { omit } from '../../entities/fields.ts';
import { openingColumns } from '../../entities/opening.ts';
import { withKindFields } from '../../entities/task-kinds/kinds.ts';
import { openingNames } from './opening-store.ts';
import {
  type Content,
  type CourseContent,
  type ExamContent,
  type LaboratoryContent,
  layoutFormat,
  type WrittenContent,
} from './schema.ts';

/**
 * The database's content in the form of the files. Each row equals what an import of these files compares with.
 * @param source reads the contents of files after the transaction
 */
export async function readAll(trx: Transaction<Tables>, all: boolean, source: Database): Promise<Content> {
  const courses = await trx.selectFrom('courses').selectAll().orderBy('order_index').orderBy('id').execute();
  const sections = await trx.selectFrom('sections').selectAll().orderBy('order_index').orderBy('id').execute();
  const courseSlugs = new Map(courses.map(({ id, slug }) => [id, slug]));
  const places = new Map(sections.map(({ id, slug, course_id }) => [id, `${courseSlugs.get(course_id)}/${slug}`]));
  const templates = await trx
    .selectFrom('sandbox_templates')
    .selectAll()
    .orderBy('order_index')
    .orderBy('id')
    .execute();
  const names = new Map((await openingNames(trx)).map((part) => [`${part.course} ${part.key}`, part]));
  /** Files name what they have. What has gone is not waited for. */
  const openingOf: OpeningOf = (course, { opens_at, opens_after }) => {
    const after = opens_after
      .flatMap((key) => names.get(`${course} ${key}`) ?? [])
      .filter((part) => all || part.is_active);
    return {
      ...(opens_at === null ? {} : { opens_at: opens_at.toISOString() }),
      ...(after.length === 0 ? {} : { opens_after: after.map(({ name }) => name) }),
    };
  };
  return {
    writtenLessons: await readWritten(trx, source),
    courses: await readCourses(trx, courses, sections, new Map(templates.map(({ id, slug }) => [id, slug])), openingOf),
    exams: await readExams(trx, all, courseSlugs, source, openingOf),
    laboratories: await readLaboratories(trx, all, places, source, openingOf),
    sandboxTemplates: templates.map(({ id: _id, order_index: _order, ...template }) => template),
  };
}

/** The opening of a part of a course as files have it. @param course its slug */
type OpeningOf = (
  course: string | undefined,
  opening: { opens_at: Date | null; opens_after: string[] },
) => { opens_at?: string; opens_after?: string[] };

async function readCourses(
  trx: Transaction<Tables>,
  courses: readonly Selectable<Tables['courses']>[],
  sections: readonly Selectable<Tables['sections']>[],
  templateSlugs: ReadonlyMap<number, string>,
  openingOf: OpeningOf,
): Promise<CourseContent[]> {
  const templateOf = (id: number | null): { sandbox_template?: string } => {
    const slug = templateSlugs.get(id ?? 0);
    return slug === undefined ? {} : { sandbox_template: slug };
  };
  const themes = await trx.selectFrom('themes').selectAll().orderBy('order_index').orderBy('id').execute();
  const repositories = await trx.selectFrom('lesson_repositories').select(['id', 'url', 'branch']).execute();
  const repositoryOf = (wanted: number | null): { repository?: string; branch?: string } => {
    const { url = null, branch = null } = repositories.find(({ id }) => id === wanted) ?? {};
    return { ...(url === null ? {} : { repository: url }), ...(branch === null ? {} : { branch }) };
  };
  const themesOf = Map.groupBy(themes, ({ section_id }) => section_id);
  const sectionsOf = Map.groupBy(sections, ({ course_id }) => course_id);
  return courses.map(({ id, order_index: _order, template_id, repository_id, ...course }) => ({
    ...{ format: layoutFormat, kind: 'course' as const },
    ...course,
    ...templateOf(template_id),
    ...repositoryOf(repository_id),
    sections: (sectionsOf.get(id) ?? []).map(
      ({ id: sectionId, slug, name, is_active, template_id: ofSection, ...section }) => ({
        ...{ slug, name, is_active, ...templateOf(ofSection), ...openingOf(course.slug, section) },
        themes: (themesOf.get(sectionId) ?? []).map((theme) => ({
          ...{ slug: theme.slug, title: theme.title },
          ...{ file: theme.markdown_file_path, duration_minutes: theme.duration_minutes },
          ...templateOf(theme.template_id),
          ...(theme.is_written ? { is_written: true } : {}),
        })),
      }),
    ),
  }));
}

/** The present files of lessons that are written in the pages. */
async function readWritten(trx: Transaction<Tables>, source: Database): Promise<WrittenContent[]> {
  const rows = await trx
    .selectFrom('written_files')
    .select(['path', 'digest', 'bytes'])
    .where('digest', 'is not', null)
    .orderBy('path')
    .execute();
  return rows.map(({ path, digest, bytes }) => {
    const content = { digest: digest ?? '', bytes };
    return { path, ...content, read: () => contentOf(source, content) };
  });
}

async function readExams(
  trx: Transaction<Tables>,
  all: boolean,
  courseSlugs: ReadonlyMap<number, string>,
  source: Database,
  openingOf: OpeningOf,
): Promise<ExamContent[]> {
  const rows = await assessments(trx, 'exam', all);
  const tasksOf = await readTasks(trx, 'exam');
  const filesOf = await readFiles(trx, 'exam', source);
  return rows.map(({ id, slug, course_id, ...row }) => ({
    ...{ format: layoutFormat, kind: 'exam' as const, slug: slug ?? `exam-${id}` },
    ...omit(row, ['kind', 'created_at', 'origin_id', 'revision', 'section_id', 'is_sequential', ...openingColumns]),
    time_limit_minutes: row.time_limit_minutes ?? 0,
    ...(course_id === null ? {} : { course: courseSlugs.get(course_id) ?? '' }),
    ...openingOf(courseSlugs.get(course_id ?? 0), row),
    files: filesOf(id, null),
    tasks: tasksOf(id).map((task) => ({ ...omit(taskOf(task), ['hint']), files: filesOf(id, task.id) })),
  }));
}

async function readLaboratories(
  trx: Transaction<Tables>,
  all: boolean,
  places: ReadonlyMap<number, string>,
  source: Database,
  openingOf: OpeningOf,
): Promise<LaboratoryContent[]> {
  const rows = await assessments(trx, 'laboratory', all);
  const tasksOf = await readTasks(trx, 'laboratory');
  const filesOf = await readFiles(trx, 'laboratory', source);
  return rows.map(({ id, slug, section_id, time_limit_minutes, ...row }) => ({
    ...{ format: layoutFormat, kind: 'laboratory' as const, slug: slug ?? `laboratory-${id}` },
    ...omit(row, [
      'kind',
      'created_at',
      'origin_id',
      'revision',
      'order_index',
      'course_id',
      'is_session_only',
      'has_certificate',
      ...openingColumns,
    ]),
    ...(section_id === null ? {} : { section: places.get(section_id) ?? '' }),
    ...openingOf(places.get(section_id ?? 0)?.split('/')[0], row),
    ...(time_limit_minutes === null ? {} : { time_limit_minutes }),
    files: filesOf(id, null),
    tasks: tasksOf(id).map((task) => ({ ...taskOf(task), files: filesOf(id, task.id) })),
  }));
}

async function assessments(
  trx: Transaction<Tables>,
  kind: AttemptKind,
  all: boolean,
): Promise<Selectable<AssessmentsTable>[]> {
  const rows = trx.selectFrom('assessments').selectAll().where('kind', '=', kind).orderBy('order_index').orderBy('id');
  return await (all ? rows : rows.where('is_active', '=', true)).execute();
}

type TaskRow = Selectable<AssessmentTasksTable>;

/** @returns the tasks of one assessment in their order */
async function readTasks(trx: Transaction<Tables>, kind: AttemptKind): Promise<(assessmentId: number) => TaskRow[]> {
  const rows = trx.selectFrom('assessment_tasks').selectAll().where('assessment_kind', '=', kind);
  const byAssessment = Map.groupBy(
    await rows.orderBy('order_index').orderBy('id').execute(),
    ({ assessment_id }) => assessment_id,
  );
  return (id) => byAssessment.get(id) ?? [];
}

/** @returns the files of one assessment, or of one of its tasks */
async function readFiles(
  trx: Transaction<Tables>,
  kind: AttemptKind,
  source: Database,
): Promise<(assessmentId: number, taskId: number | null) => SetupFile[]> {
  const files = await allSetupFiles(trx, kind, source);
  return (assessmentId, taskId) => (files.get(assessmentId) ?? []).filter(({ task_id }) => task_id === taskId);
}

/** Files list tasks in their order, and below their assessment. */
const taskOf = ({ id, slug, ...fields }: TaskRow) => ({
  slug: slug ?? `task-${id}`,
  ...omit(withKindFields(fields), ['assessment_kind', 'assessment_id', 'order_index']),
});
