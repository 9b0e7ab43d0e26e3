import { ConcurrencyLimiter } from '../../../packages/limits/concurrency-limiter.ts';
import { ForbiddenError, found, InvalidError, overloaded } from '../../errors.ts';
import { courseFolder } from '../../values/course-folder.ts';
import { imageGrant } from '../../values/image-problems.ts';
import { type ArchivedFile, archiveOf, temporaryFolder, unpack } from './archive.ts';
import { ContentError } from './problems.ts';
import type { Content, ContentChange, CourseContent, ExamContent, LaboratoryContent } from './schema.ts';
import type { ContentStore, HeldCourse } from './store.ts';

type Grants = {
  images: readonly string[];
  common_images: readonly string[];
  own_images: readonly string[];
  has_root: boolean;
  templates: readonly { id: number }[];
};

type CourseContentParts = {
  store: Pick<ContentStore, 'read' | 'import' | 'held'>;
  grants: (courseId: number) => Promise<Grants>;
  /** Where files are written for a moment. */
  directory: string;
  /** Called after an import: cached rows are out of date. */
  onImport: () => void;
};

/** Both read the catalogue as a whole, and an import keeps others from changing it. */
const turns = { concurrency: 1, maxWaiting: 5, maxWaitSeconds: 60 };

/** Exports one course with its exams, laboratories and written lessons, and imports such files into a course. */
export class CourseContentService {
  readonly #parts: CourseContentParts;
  readonly #turns = new ConcurrencyLimiter(turns, overloaded('Other courses are being imported or exported'));

  constructor(parts: CourseContentParts) {
    this.#parts = parts;
  }

  /** The files of a content folder with the course alone, drafts included. @throws NotFoundError; ServiceError 413 */
  async export(courseId: number): Promise<ArchivedFile[]> {
    return await this.#turns.run(async () => {
      const { store } = this.#parts;
      const { slug } = found(await store.held(courseId), 'Course');
      const content = ofCourse(await store.read(true), slug, courseId);
      await using folder = await temporaryFolder(this.#parts.directory);
      const { writeContent } = await import('./export-folder.ts');
      await writeContent(`${folder.path}/content`, content, undefined);
      return await archiveOf(`${folder.path}/content`);
    });
  }

  /**
   * Brings the course up to date with files of an export, also of one of another course: items are matched by slug. What the files do not
   * have stays. New exams and laboratories are drafts, and nothing is published.
   * @throws InvalidError for files that cannot be used; ForbiddenError for what the course may not use; ConflictError, NotFoundError
   */
  async import(
    actorId: number,
    courseId: number,
    { files, is_dry_run = false }: { files: readonly ArchivedFile[]; is_dry_run?: boolean },
  ): Promise<ContentChange[]> {
    return await this.#turns.run(async () => {
      const { store, onImport } = this.#parts;
      const held = found(await store.held(courseId), 'Course');
      await using folder = await temporaryFolder(this.#parts.directory);
      await unpack(folder.path, files);
      const { nothing, readContent } = await import('./layout.ts');
      const grants = await this.#parts.grants(courseId);
      const templates = held.templates
        .filter(({ id }) => held.usedTemplates.includes(id) || grants.templates.some((one) => one.id === id))
        .map(({ slug }) => slug);
      const content = await readContent(folder.path, { ...nothing, templates }).catch(refuse);
      const wanted = intoCourse(content, held);
      checkGrants(wanted, held, grants);
      const changes = await store.import(wanted, { prune: false, dryRun: is_dry_run, actorId, held });
      if (!is_dry_run) onImport();
      return changes;
    });
  }
}

/** The part of the content that belongs to a course. */
function ofCourse(content: Content, slug: string, courseId: number): Content {
  return {
    courses: content.courses.filter((course) => course.slug === slug),
    exams: content.exams.filter(({ course }) => course === slug),
    laboratories: content.laboratories.filter(({ section }) => section?.split('/')[0] === slug),
    writtenLessons: content.writtenLessons.filter(({ path }) => path.startsWith(courseFolder(courseId))),
    sandboxTemplates: [],
  };
}

/** Content of any course as content of this one. @throws InvalidError */
function intoCourse(content: Content, held: HeldCourse): Content {
  const [course, ...others] = content.courses;
  if (course === undefined || others.length > 0) throw invalid('the files should have exactly one course');
  if (content.sandboxTemplates.length > 0) throw invalid('sandbox templates are of administrators');
  const target = { slug: held.slug, is_active: held.is_active, icon: course.icon };
  const pathOf = (path: string): string => courseFolder(held.id) + path.replace(/^courses\/\d+\//, '');
  const { repository: _repository, branch: _branch, ...fields } = course;
  const exams = content.exams.map((exam) => ({ ...exam, course: held.slug, ...ownName(exam, held) }));
  const laboratories = content.laboratories.map((laboratory) => ({
    ...{ ...laboratory, ...ownName(laboratory, held) },
    section: `${held.slug}/${sectionOf(laboratory)}`,
  }));
  const names = new Map(
    [...content.exams, ...content.laboratories].map(({ kind, slug: name }, index) => [
      `${kind}:${name}`,
      `${kind}:${[...exams, ...laboratories][index]?.slug}`,
    ]),
  );
  const renamed = <Part extends { opens_after?: string[] }>(part: Part): Part => ({
    ...part,
    ...(part.opens_after && { opens_after: part.opens_after.map((name) => names.get(name) ?? name) }),
  });
  const moved: CourseContent = {
    ...{ ...fields, ...target, ...held.address },
    sections: course.sections.map((section) => ({
      ...renamed(section),
      themes: section.themes.map((theme) => (theme.is_written ? { ...theme, file: pathOf(theme.file) } : theme)),
    })),
  };
  return {
    courses: [moved],
    exams: exams.map(renamed),
    laboratories: laboratories.map(renamed),
    writtenLessons: content.writtenLessons.map((file) => ({ ...file, path: pathOf(file.path) })),
    sandboxTemplates: [],
  };
}

/** A slug that an exam or a laboratory elsewhere has gets another one. Nothing is published or hidden. */
function ownName({ kind, slug }: ExamContent | LaboratoryContent, { assessments }: HeldCourse) {
  const ofKind = assessments.filter((one) => one.kind === kind);
  let free = slug;
  for (let number = 2; ofKind.some((one) => one.slug === free && !one.isOwn); number += 1) free = `${slug}-${number}`;
  return { slug: free, is_active: ofKind.find((one) => one.slug === free)?.is_active ?? false };
}

function sectionOf({ section }: LaboratoryContent): string {
  if (section === undefined) throw invalid('each laboratory should have a section');
  return section.split('/')[1] ?? '';
}

/** @throws ForbiddenError */
function checkGrants({ exams, laboratories }: Content, { assessments }: HeldCourse, grants: Grants): void {
  const mayHave = imageGrant(grants);
  for (const { kind, slug, container_image, user } of [...exams, ...laboratories]) {
    const now = assessments.find((one) => one.isOwn && one.kind === kind && one.slug === slug);
    if (!mayHave(container_image) && now?.container_image !== container_image)
      throw new ForbiddenError('not_granted', `Administrators have not granted the image of ${slug} to the course`);
    if (user === 'root' && now?.user !== 'root' && !grants.has_root)
      throw new ForbiddenError('not_granted', 'Administrators have not granted root for students to the course');
  }
}

const invalid = (problem: string): InvalidError =>
  new InvalidError([{ loc: ['body', 'files'], msg: `Value error, ${problem}`, type: 'value_error' }]);

const maxProblems = 100;

/** @throws InvalidError for what is wrong in files */
function refuse(error: unknown): never {
  if (!(error instanceof ContentError)) throw error;
  const items = error.problems.slice(0, maxProblems).map(({ file, line, message }) => ({
    ...{ loc: ['body', 'files', file, line], msg: `Value error, ${message}`, type: 'value_error' },
  }));
  throw new InvalidError(items, error.problems.length);
}
