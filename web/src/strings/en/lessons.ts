/** The list of courses. */
export const lessons = {
  title: 'Courses',
  lead: 'Read the lessons, try everything in a terminal, and mark what you have completed.',
  nothing: 'There are no courses yet',
  nothingHelp: 'Courses appear here as soon as your school opens them.',
  nothingHelpAdmin: 'Create the first course, or import one that comes with the platform.',
  makeCourse: 'Create a course',
  progress: (done: number, total: number) => `${done} of ${total} ${total === 1 ? 'lesson' : 'lessons'}`,
  progressLabel: (course: string) => `Progress in ${course}`,
  begin: 'Begin',
  finished: 'All lessons completed',
  toCourse: 'Open the course',
  inactive: 'Hidden from students',
  emptyCourse: 'This course has no lessons yet.',
  running: 'In progress now',
  continueTo: (title: string) => `Continue to “${title}”`,
  showContents: 'Lessons',
};
