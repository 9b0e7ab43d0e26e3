import { courseFolder } from '../../values/course-folder.ts';
import type { LessonPlace, LessonRepositories } from '../lesson-repositories/repositories.ts';
import { isText } from '../lessons/lesson-path.ts';
import type { LessonService } from '../lessons/service.ts';
import { type LessonOfFile, lessonsByFile, viewFor, type Writer } from './service.ts';

/** Where the files of a lesson are looked for. */
export type FilesPlace = {
  course_id?: number | undefined;
  section_id?: number | undefined;
  is_written?: boolean | undefined;
};

/** Files that are listed of one repository. */
const maxFiles = 10_000;

/** Lists the files that a lesson can have. */
export class LessonFiles {
  readonly #parts: { lessons: LessonService; repositories: LessonRepositories };

  constructor(parts: { lessons: LessonService; repositories: LessonRepositories }) {
    this.#parts = parts;
  }

  /**
   * The Markdown files by path, with the lessons that have them: of the repository of a course, or those written in the pages.
   * Without any of these: of the default repository. At most 10,000 files of a repository are looked at.
   * @throws NotFoundError, UnavailableError
   */
  async list(caller: Writer, where: FilesPlace): Promise<{ path: string; lessons: LessonOfFile[] }[]> {
    const { lessons: service } = this.#parts;
    const view = await viewFor(service, caller);
    const { course_id: courseId = caller.courseId, section_id: sectionId } = where;
    let place: LessonPlace;
    if (where.is_written) place = 'written';
    else if (courseId !== undefined || sectionId !== undefined) {
      const reader = caller.courseId === undefined ? caller : { id: caller.id, role: 'admin' };
      const course = await service.sectionsOf(reader, { courseId, sectionId });
      place = view.repositoryOf(course.courseId);
    }
    const version = await this.#parts.repositories.open(place);
    const lessons = lessonsByFile(view, place, caller.courseId);
    const folder = place === 'written' && caller.courseId !== undefined ? courseFolder(caller.courseId) : '';
    const paths = (await version.files(maxFiles))
      .filter((path) => isText(path) && path.startsWith(folder))
      .sort((one, other) => (one < other ? -1 : 1));
    return paths.map((path) => ({ path, lessons: lessons(path) }));
  }
}
