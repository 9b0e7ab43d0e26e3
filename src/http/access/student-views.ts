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
  '/api/exams/attempts/:id/answers',
  '/api/exams/attempts/:id/feedback',
  '/api/exams/attempts/:id/reopen-request',
  '/api/exams/attempts/:id/results',
  '/api/exams/attempts/:id/signals',
  '/api/laboratories/:id',
  '/api/laboratories/attempts',
  '/api/laboratories/attempts/active',
  '/api/laboratories/attempts/:id/answers',
  '/api/laboratories/attempts/:id/feedback',
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
  '/api/profile/certificates',
  '/api/profile/recording-consent',
  '/api/sandbox-templates',
]);

/**
 * What a test student does besides: it reads, works in machines of its own, and has attempts, progress and notes. What reaches other people
 * is not among it, and nothing of the account is changed.
 */
const done: ReadonlySet<string> = new Set([
  'GET /api/announcements',
  'POST /api/announcements/:id/read',
  'POST /api/containers/create',
  'GET /api/containers/:id',
  'DELETE /api/containers/:id',
  ...['start', 'stop', 'reset'].map((action) => `POST /api/containers/:id/${action}`),
  'GET /api/containers/:id/files',
  'PUT /api/containers/:id/files',
  'GET /api/containers/:id/terminals',
  ...['exams', 'laboratories'].flatMap((kind) =>
    ['start', 'submit']
      .map((action) => `POST /api/${kind}/:id/${action}`)
      .concat(`POST /api/${kind}/attempts/:id/abandon`),
  ),
  'POST /api/exams/attempts/:id/break',
  'DELETE /api/exams/attempts/:id/break',
  'POST /api/laboratories/:id/check',
  'POST /api/lessons/themes/:theme_id/complete',
  'DELETE /api/lessons/themes/:theme_id/complete',
  'GET /api/lessons/courses/:course_id/teachers',
  ...['GET /api/notes', 'POST /api/notes', 'PUT /api/notes/:id', 'DELETE /api/notes/:id'],
  'PUT /api/profile/recording-consent',
  'GET /api/search',
]);

/** Of the student's classes that of the view exists only. @throws ForbiddenError */
export function checkView({ method, routeOptions, params }: FastifyRequest, { classId }: StudentView): void {
  const url = routeOptions.url ?? '';
  const isTest = classId === null;
  const isOfClass =
    isTest || !url.startsWith('/api/classes/:id') || Number((params as { id?: unknown }).id) === classId;
  if (method === 'GET' && shown.has(url) && isOfClass) return;
  if (isTest && done.has(`${method} ${url}`)) return;
  if (isTest) throw new ForbiddenError('test_student', 'A test student does not do this');
  throw new ForbiddenError('student_view', "A view of a student's pages neither changes anything nor shows this");
}
