import type { FastifyRequest } from 'fastify';
import { ForbiddenError } from '../../errors.ts';
import type { StudentView } from '../../values/student-view.ts';

/**
 * All that a student's pages show to an instructor who looks at them. Everything else is refused: what changes something, terminals and
 * files, messages, notes, searches, the profile, and what the student sees as somebody's tutor.
 */
const shown: ReadonlySet<string> = new Set([
  '/api/classes',
  '/api/classes/:id',
  '/api/classes/:id/deadlines',
  '/api/classes/:id/grades/mine',
  '/api/containers/limits',
  '/api/containers/sandbox',
  '/api/dashboard/activity',
  '/api/dashboard/analytics',
  '/api/dashboard/course-subjects',
  '/api/dashboard/stats',
  '/api/deadlines',
  '/api/exam-sessions',
  '/api/exam-sessions/time-zone',
  '/api/exams',
  '/api/exams/:id',
  '/api/exams/attempts',
  '/api/exams/attempts/active',
  '/api/exams/attempts/:id/results',
  '/api/laboratories/:id',
  '/api/laboratories/attempts',
  '/api/laboratories/attempts/active',
  '/api/laboratories/attempts/:id/results',
  '/api/laboratories/section/:section_id/laboratory',
  '/api/lessons/course-summaries',
  '/api/lessons/courses',
  '/api/lessons/courses/:course_id',
  '/api/lessons/themes',
  '/api/lessons/themes/:theme_id',
  '/api/lessons/themes/:theme_id/content',
  '/api/lessons/themes/:theme_id/files/*',
  '/api/openings',
  '/api/sandbox-templates',
]);

/** Of the student's classes that of the view exists only. @throws ForbiddenError */
export function checkView({ method, routeOptions, params }: FastifyRequest, { classId }: StudentView): void {
  const url = routeOptions.url ?? '';
  const isOfClass = !url.startsWith('/api/classes/:id') || Number((params as { id?: unknown }).id) === classId;
  if (method === 'GET' && shown.has(url) && isOfClass) return;
  throw new ForbiddenError('student_view', "A view of a student's pages neither changes anything nor shows this");
}
