import { ForbiddenError, NotFoundError } from '../../errors.ts';
import type { Caller, Doorkeeper } from '../../http/access/access.ts';
import { courseFolder } from '../../values/course-folder.ts';
import { type CourseRole, coursePath, includesRole } from '../../values/course-policies.ts';
import { imageGrant } from '../../values/image-problems.ts';
import type { ShownGrants } from './grant-store.ts';

type Request = Parameters<Doorkeeper['checkFields']>[0];
type Fields = Record<string, unknown>;
/** What a path or a field names. */
type Child = 'section' | 'theme' | 'exam' | 'laboratory' | 'written_lesson' | 'repository' | 'image';

export type DoorParts = {
  /** Undefined where the course does not exist, null for whom it does not exist. */
  roleOf: (caller: Caller, courseId: number) => Promise<CourseRole | null | undefined>;
  courseIdOf: (kind: Child, id: number) => Promise<number | undefined>;
  grants: {
    of: (courseId: number) => Promise<ShownGrants>;
    assessment: (
      kind: 'exam' | 'laboratory',
      id: number,
    ) => Promise<{ container_image: string; user: string } | undefined>;
    templateOf: (table: 'courses' | 'sections' | 'themes', id: number) => Promise<number | null | undefined>;
    theme: (id: number) => Promise<{ markdown_file_path: string; is_written: boolean } | undefined>;
    repositoryOf: (courseId: number) => Promise<number | null | undefined>;
  };
};

/** What a parameter of a path names, by the segment before it. */
const children: Readonly<Partial<Record<string, Child>>> = {
  sections: 'section',
  themes: 'theme',
  exams: 'exam',
  laboratories: 'laboratory',
  'written-lessons': 'written_lesson',
  repositories: 'repository',
  images: 'image',
};
/** Parameters that the handler looks for in what the one before names. */
const ofTheirParent = ['tasks', 'files', 'revisions', 'staff', 'rubric'];
const names: Readonly<Record<Child, string>> = {
  ...{ section: 'Section', theme: 'Theme', exam: 'Exam', laboratory: 'Laboratory', written_lesson: 'Lesson file' },
  ...{ repository: 'Lesson repository', image: 'Container image' },
};

/** The parameters of a path behind the door, each with the segment before it. */
const parametersOf = (url: string): { segment: string; name: string }[] =>
  [...url.slice(coursePath.length).matchAll(/([^/]+)\/:(\w+)/g)].map(([, segment = '', name = '']) => ({
    ...{ segment, name },
  }));

/** An id as the validation lets it through. It refuses all others. */
const idIn = (text: unknown): number | undefined => {
  const id = typeof text === 'number' || /^\d{1,10}$/.test(String(text)) ? Number(text) : 0;
  return id >= 1 && id <= 2_147_483_647 ? id : undefined;
};

const absent = (what: string): NotFoundError => new NotFoundError('not_found', `${what} not found`);
const notGranted = (what: string): ForbiddenError =>
  new ForbiddenError('not_granted', `Administrators have not granted ${what} to the course`);

/**
 * Decides who passes the door of a course, and with what: ids in paths, queries and bodies name what belongs to the course, and fields only
 * what the course may use. What names nothing of the course is answered as what does not exist.
 */
export class CourseDoorkeeper implements Doorkeeper {
  readonly #parts: DoorParts;

  constructor(parts: DoorParts) {
    this.#parts = parts;
  }

  declare(url: string): void {
    if (!url.startsWith(coursePath)) throw new Error(`${url} is not behind the door of a course`);
    for (const { segment } of parametersOf(url))
      if (!(segment in children) && !ofTheirParent.includes(segment))
        throw new Error(`${url}: the doorkeeper does not know whose ${segment} are`);
  }

  async admit(request: Request, caller: Caller, needed: CourseRole): Promise<void> {
    const courseId = idIn((request.params as Fields)['course_id']);
    // Before the validation, which refuses it or makes a number of it.
    if (courseId === undefined) return;
    const role = await this.#parts.roleOf(caller, courseId);
    if (!role) throw absent('Course');
    if (!includesRole(role, needed) && !isLeaving(request, caller)) throw refusalFor(role, needed);
    for (const { segment, name } of parametersOf(request.routeOptions.url ?? '')) {
      const [kind, id] = [children[segment], idIn((request.params as Fields)[name])];
      if (kind !== undefined && id !== undefined) await this.#checkChild(courseId, kind, id);
    }
  }

  async checkFields(request: Request): Promise<void> {
    const params = request.params as Fields;
    const courseId = idIn(params['course_id']);
    if (courseId === undefined) throw absent('Course');
    for (const fields of partsOf(request)) {
      if (fields['course_id'] !== undefined && idIn(fields['course_id']) !== courseId) throw absent('Course');
      if (fields['section_id'] !== undefined) await this.#checkChild(courseId, 'section', idIn(fields['section_id']));
      if (fields['url'] !== undefined && !(await this.#parts.grants.of(courseId)).has_repository)
        throw notGranted('a lesson repository of its own');
      if (fields['repository_id']) await this.#checkRepository(courseId, fields['repository_id']);
      if (fields['template_id']) await this.#checkTemplate(courseId, fields['template_id'], request);
      if (fields['container_image'] !== undefined || fields['user'] === 'root')
        await this.#checkMachine(courseId, fields, request);
      if (fields['markdown_file_path'] !== undefined || fields['is_written'] !== undefined)
        await this.#checkFile(courseId, fields, params);
    }
  }

  async #checkChild(courseId: number, kind: Child, id: number | undefined): Promise<void> {
    const owner = id === undefined ? undefined : await this.#parts.courseIdOf(kind, id);
    if (owner !== courseId) throw absent(names[kind]);
  }

  /** Staff do not choose among the repositories of administrators. The one that the course has may be sent back. */
  async #checkRepository(courseId: number, given: unknown): Promise<void> {
    const id = idIn(given);
    if (id !== undefined && (await this.#parts.grants.repositoryOf(courseId)) === id) return;
    await this.#checkChild(courseId, 'repository', id);
  }

  async #checkTemplate(courseId: number, given: unknown, request: Request): Promise<void> {
    const { grants } = this.#parts;
    const id = idIn(given);
    if ((await grants.of(courseId)).templates.some((template) => template.id === id)) return;
    const { section_id, theme_id } = request.params as Fields;
    const now =
      (theme_id !== undefined && (await grants.templateOf('themes', Number(theme_id)))) ||
      (section_id !== undefined && (await grants.templateOf('sections', Number(section_id)))) ||
      (request.routeOptions.url === coursePath && (await grants.templateOf('courses', courseId)));
    if (id === undefined || now !== id) throw absent('Sandbox template');
  }

  /** @throws ForbiddenError */
  async #checkMachine(courseId: number, { container_image: image, user }: Fields, request: Request): Promise<void> {
    const { grants } = this.#parts;
    const granted = await grants.of(courseId);
    const [at] = parametersOf(request.routeOptions.url ?? '');
    const kind = at && children[at.segment];
    const id = at && idIn((request.params as Fields)[at.name]);
    const isOfAssessment = (kind === 'exam' || kind === 'laboratory') && id !== undefined;
    const now = isOfAssessment ? await grants.assessment(kind, id) : undefined;
    const isGranted = typeof image === 'string' && imageGrant(granted)(image);
    if (image !== undefined && image !== now?.container_image && !isGranted) throw notGranted('the image');
    if (user === 'root' && now?.user !== 'root' && !granted.has_root) throw notGranted('root for students');
  }

  /** A lesson that is written in the pages has a file of its course. */
  async #checkFile(courseId: number, fields: Fields, { theme_id }: Fields): Promise<void> {
    const { grants } = this.#parts;
    const before = theme_id === undefined ? undefined : await grants.theme(Number(theme_id));
    const { markdown_file_path: path, is_written = false }: Fields = { ...before, ...fields };
    // A query has texts only.
    const isRead = is_written === false || is_written === 'false';
    if (isRead || (before?.is_written && before.markdown_file_path === path)) return;
    if (!String(path).startsWith(courseFolder(courseId))) throw absent('Lesson file');
  }
}

/** What a request says: its query, what it says with its body, and the changes of an assessment in the body. */
function partsOf({ query, body }: Request): Fields[] {
  const isObject = (value: unknown): value is Fields =>
    typeof value === 'object' && value !== null && !Buffer.isBuffer(value);
  const [ofQuery, ofBody] = [isObject(query) ? query : {}, isObject(body) ? body : {}];
  return [ofQuery, { ...ofQuery, ...ofBody }, isObject(ofBody['fields']) ? ofBody['fields'] : {}];
}

/** Everybody may leave. */
function isLeaving({ method, routeOptions, params }: Request, { id }: Caller): boolean {
  const isRemoval = method === 'DELETE' && routeOptions.url === `${coursePath}/staff/:user_id`;
  return isRemoval && idIn((params as Fields)['user_id']) === id;
}

const refusalFor = (role: CourseRole, needed: CourseRole): ForbiddenError =>
  role === 'viewer' && needed === 'editor'
    ? new ForbiddenError('viewer', 'Viewers of the course change nothing')
    : new ForbiddenError('owner_only', 'Only owners of the course may do this');
