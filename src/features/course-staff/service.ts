import { ForbiddenError, NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';

import type { CourseCopyStore } from './copy-store.ts';
import type { CourseStaffStore, TeachingCourse } from './store.ts';

/** Who may create courses, besides administrators. */
type CourseCreators = 'instructors' | 'admins';

/** The rows of courses, with their rules. */
type Courses<Fields> = {
  /** Creates a course with its owner. */
  create: (actorId: number, fields: Fields) => Promise<{ id: number }>;
  update: (actorId: number, id: number, change: Partial<Fields>) => Promise<object | undefined>;
  delete: (actorId: number, id: number) => Promise<unknown>;
};

type Places = { template_id?: number | null; repository_id?: number | null };

type CourseServiceParts<Fields> = {
  copies: Pick<CourseCopyStore, 'copy'>;
  staff: Pick<CourseStaffStore, 'course'>;
  courses: Courses<Fields>;
  /** What every course may use. */
  usual: () => Promise<{ templates: readonly { id: number }[] }>;
  creators: CourseCreators;
};

/** Courses, for those who teach them. */
export class CourseService<Fields extends Places> {
  readonly #parts: CourseServiceParts<Fields>;

  constructor(parts: CourseServiceParts<Fields>) {
    this.#parts = parts;
  }

  /**
   * The caller becomes its owner.
   * @throws ForbiddenError where only administrators create courses; NotFoundError for a template that not every course may use, and for a
   * repository; see AdministeredTable.create
   */
  async create(caller: Caller, fields: Fields): Promise<TeachingCourse> {
    const { courses, staff } = this.#parts;
    this.#checkCreates(caller);
    if (caller.role !== 'admin') await this.#checkPlaces(fields);
    const { id } = await courses.create(caller.id, fields);
    return await staff.course(caller, id);
  }

  /**
   * The caller becomes the owner of the copy, which is hidden from students.
   * @throws ForbiddenError where only administrators create courses; see CourseCopyStore.copy
   */
  async copy(caller: Caller, id: number, { name }: { name?: string }): Promise<TeachingCourse> {
    this.#checkCreates(caller);
    return await this.#parts.staff.course(caller, await this.#parts.copies.copy(caller.id, id, name));
  }

  /** @throws ForbiddenError */
  #checkCreates({ role }: Caller): void {
    if (this.#parts.creators === 'admins' && role !== 'admin')
      throw new ForbiddenError('admin_required', 'Admin access required');
  }

  async #checkPlaces({ template_id, repository_id }: Places): Promise<void> {
    if (repository_id) throw new NotFoundError('not_found', 'Lesson repository not found');
    if (template_id && !(await this.#parts.usual()).templates.some(({ id }) => id === template_id))
      throw new NotFoundError('not_found', 'Sandbox template not found');
  }

  /** @throws NotFoundError */
  async get(caller: Caller, id: number): Promise<TeachingCourse> {
    return await this.#parts.staff.course(caller, id);
  }

  /** @throws NotFoundError; see AdministeredTable.update */
  async update(caller: Caller, id: number, change: Partial<Fields>): Promise<TeachingCourse> {
    const { courses, staff } = this.#parts;
    await courses.update(caller.id, id, change);
    return await staff.course(caller, id);
  }

  /** Its exams and laboratories are hidden from students, and kept. */
  async delete(caller: Caller, id: number): Promise<void> {
    await this.#parts.courses.delete(caller.id, id);
  }
}
