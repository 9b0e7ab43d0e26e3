import type { LessonPlace, LessonRepositories } from '../lesson-repositories/repositories.ts';
import { isText } from '../lessons/lesson-path.ts';
import type { LessonService } from '../lessons/service.ts';
import { type LessonOfFile, lessonsByFile } from './service.ts';

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
  async list(
    caller: { id: number; role: string },
    where: FilesPlace,
  ): Promise<{ path: string; lessons: LessonOfFile[] }[]> {
    const view = await this.#parts.lessons.viewOf(caller);
    const { course_id: courseId, section_id: sectionId } = where;
    let place: LessonPlace;
    if (where.is_written) place = 'written';
    else if (courseId !== undefined || sectionId !== undefined) {
      const course = await this.#parts.lessons.sectionsOf(caller, { courseId, sectionId });
      place = view.repositoryOf(course.courseId);
    }
    const version = await this.#parts.repositories.open(place);
    const lessons = lessonsByFile(view, place);
    const paths = (await version.files(maxFiles)).filter(isText).sort((one, other) => (one < other ? -1 : 1));
    return paths.map((path) => ({ path, lessons: lessons(path) }));
  }
}
