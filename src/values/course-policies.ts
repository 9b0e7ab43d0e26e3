/** All courses have one door: the course is the first parameter. */
export const coursePath = '/api/teaching/courses/:course_id';

/** The roles of the staff of a course. Each may do what those before it may. */
export const courseRoles = ['viewer', 'editor', 'owner'] as const;
export type CourseRole = (typeof courseRoles)[number];

/**
 * Who may do what with a course through its own door, `/api/teaching/courses/{course_id}`: the lowest role that may. Administrators are
 * owners of every course. For everybody else, students included, the course does not exist. What belongs to no course or to another one
 * does not exist behind the door either.
 */
export const coursePolicies = {
  /** Its name, its description, its place, its repository, and whether students see it. */
  course: { read: 'viewer', change: 'editor', delete: 'owner' },
  /** Another course with its content and with what it may use. Whoever copies it owns the copy. */
  copy: { read: 'viewer', change: 'owner', delete: 'owner' },
  /** Who teaches it. Everybody may leave. */
  staff: { read: 'viewer', change: 'owner', delete: 'owner' },
  /** What administrators let it use. They change it through their own door only. */
  grants: { read: 'viewer', change: 'owner', delete: 'owner' },
  /** The lesson repository of its own. */
  repositories: { read: 'viewer', change: 'editor', delete: 'editor' },
  /** The images of its own, of the registries that administrators list for it. */
  images: { read: 'viewer', change: 'editor', delete: 'editor' },
  sections: { read: 'viewer', change: 'editor', delete: 'editor' },
  themes: { read: 'viewer', change: 'editor', delete: 'editor' },
  /** The texts of its lessons that are written in the pages, their pictures and their revisions. */
  'written-lessons': { read: 'viewer', change: 'editor', delete: 'editor' },
  /** Its export and import as files. */
  archive: { read: 'viewer', change: 'editor', delete: 'editor' },
  /** With their tasks, scripts, files, revisions, trials and publication. */
  exams: { read: 'viewer', change: 'editor', delete: 'editor' },
  laboratories: { read: 'viewer', change: 'editor', delete: 'editor' },
  /** What students have reported about its tasks. The answer is a change of the exam or laboratory. */
  reports: { read: 'viewer', change: 'editor', delete: 'editor' },
} as const satisfies Record<string, Record<CourseAct, CourseRole>>;

export type CourseAct = 'read' | 'change' | 'delete';
export type CoursePart = keyof typeof coursePolicies;

/** Whether one role may do what another one may. */
export const includesRole = (role: CourseRole, needed: CourseRole): boolean =>
  courseRoles.indexOf(role) >= courseRoles.indexOf(needed);
