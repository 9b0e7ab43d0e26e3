import type { Generated } from 'kysely';
import type { CourseRole } from '../../values/course-policies.ts';

export type CourseStaffTable = { course_id: number; user_id: number; role: CourseRole; added_at: Generated<Date> };

/** What a course may use beyond what every course may. */
export type CourseGrantsTable = {
  course_id: number;
  images: Generated<string[]>;
  /** Sandbox templates with internet. */
  has_internet: Generated<boolean>;
  /** Students of its exams and laboratories can be root. */
  has_root: Generated<boolean>;
  /** It may have a lesson repository of its own. */
  has_repository: Generated<boolean>;
  /** Hosts of registries that its staff may add images of. */
  registries: Generated<string[]>;
};

/** The lesson repository that the staff of a course have added. */
export type CourseOwnRepositoriesTable = { course_id: number; repository_id: number };
