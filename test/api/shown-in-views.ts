/** Reads that a view is for. An operation that is added is refused until it stands here and in `src/http/access/student-views.ts`. */
export const shownInViews = [
  ...['classes', 'classes/{id}', 'classes/{id}/deadlines', 'classes/{id}/grades/mine'],
  ...['containers/limits', 'containers/sandbox', 'deadlines', 'exam-sessions', 'exam-sessions/time-zone'],
  ...['activity', 'analytics', 'course-subjects', 'stats'].map((name) => `dashboard/${name}`),
  ...['exams', 'exams/{id}', 'laboratories/{id}', 'laboratories/section/{section_id}/laboratory'],
  ...['exams', 'laboratories'].flatMap((kind) =>
    ['attempts', 'attempts/active', 'attempts/{id}/answers', 'attempts/{id}/feedback', 'attempts/{id}/results'].map(
      (name) => `${kind}/${name}`,
    ),
  ),
  'exams/attempts/{id}/reopen-request',
  ...['course-summaries', 'courses', 'courses/{course_id}'].map((name) => `lessons/${name}`),
  ...['themes', 'themes/{theme_id}', 'themes/{theme_id}/content', 'themes/{theme_id}/files/{*}'].map(
    (name) => `lessons/${name}`,
  ),
  'exams/attempts/{id}/signals',
  ...['openings', 'profile/certificates', 'profile/recording-consent', 'sandbox-templates'],
].map((name) => `GET /api/${name}`);
