import { shippedImages } from '../../images/definitions.ts';
import { courseIdOf } from '../database/catalogue/course-content.ts';
import { CourseDoorkeeper } from '../features/course-staff/doorkeeper.ts';
import { GrantStore } from '../features/course-staff/grant-store.ts';
import { CourseStaffStore } from '../features/course-staff/store.ts';
import type { DatabaseParts } from './database.ts';

/** The staff of courses, and the doors through which they reach them. */
export function composeCourseStaff({ db }: DatabaseParts) {
  const courseStaff = new CourseStaffStore(db);
  const grants = new GrantStore(db, shippedImages);
  const doorkeeper = new CourseDoorkeeper({
    roleOf: (caller, courseId) => courseStaff.roleOf(caller, courseId),
    courseIdOf: (kind, id) => courseIdOf(db, kind, id),
    grants,
  });
  return { courseStaff, grants, doorkeeper };
}

export type CourseStaffParts = ReturnType<typeof composeCourseStaff>;
