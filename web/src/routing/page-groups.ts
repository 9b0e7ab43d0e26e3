import type { User } from '../api/user.ts';
import type { Strings } from '../strings/en/index.ts';
import type { PlainPath } from './addresses.ts';

export type PageLink = { to: PlainPath; name: keyof Strings['common']['links'] };
export type PageGroup = {
  /** Absent for what stands above all groups. */
  name?: keyof Strings['common']['groups'];
  roles: readonly User['role'][];
  pages: readonly PageLink[];
};

/** The pages that the navigation and the search lead to, by what they are for. */
const groups: readonly PageGroup[] = [
  { roles: ['student', 'instructor', 'admin'], pages: [{ to: '/', name: 'dashboard' }] },
  {
    name: 'learn',
    roles: ['student', 'instructor', 'admin'],
    pages: [
      { to: '/courses', name: 'courses' },
      { to: '/sandboxes', name: 'sandboxes' },
      { to: '/exams', name: 'exams' },
      { to: '/classes', name: 'classes' },
      { to: '/announcements', name: 'announcements' },
      { to: '/notes', name: 'notes' },
    ],
  },
  {
    name: 'teach',
    roles: ['instructor', 'admin'],
    pages: [
      { to: '/teaching/grade-book', name: 'gradeBook' },
      { to: '/teaching/attempts', name: 'attempts' },
      { to: '/teaching/grading', name: 'grading' },
      { to: '/plan-exam', name: 'planExam' },
      { to: '/teaching/live', name: 'live' },
    ],
  },
  {
    name: 'content',
    roles: ['instructor'],
    pages: [{ to: '/teaching/courses', name: 'taughtCourses' }],
  },
  {
    name: 'content',
    roles: ['admin'],
    pages: [
      { to: '/administration/courses', name: 'courseEditor' },
      { to: '/administration/written-lessons', name: 'writtenLessons' },
      { to: '/administration/repositories', name: 'repositories' },
      { to: '/administration/exams', name: 'examEditor' },
      { to: '/administration/laboratories', name: 'laboratoryEditor' },
      { to: '/administration/templates', name: 'templates' },
    ],
  },
  {
    name: 'system',
    roles: ['admin'],
    pages: [
      { to: '/administration/users', name: 'users' },
      { to: '/administration/registration-codes', name: 'registrationCodes' },
      { to: '/administration/identity-providers', name: 'identityProviders' },
      { to: '/administration/lti', name: 'ltiPlatforms' },
      { to: '/administration/containers', name: 'containers' },
      { to: '/administration/activity', name: 'activity' },
      { to: '/administration/deletions', name: 'deletions' },
      { to: '/administration/settings', name: 'settings' },
      { to: '/administration/system', name: 'system' },
    ],
  },
];

export const groupsOf = (role: User['role']): readonly PageGroup[] =>
  groups.filter(({ roles }) => roles.includes(role));
