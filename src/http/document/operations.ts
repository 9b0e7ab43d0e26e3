import { STATUS_CODES } from 'node:http';
import type { DocumentedOperation } from './shared-answers.ts';

const singular = (word: string): string =>
  word
    .replace(/sses$/, 'ss')
    .replace(/ies$/, 'y')
    .replace(/([^s])s$/, '$1');
const capital = (word: string): string =>
  word
    .split(/[-_.]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');

/** Names that no rule makes well, by method and path. */
const wellKnown: Record<string, string> = {
  'post /api/auth/invitation': 'acceptInvitation',
  'put /api/auth/password': 'changePassword',
  'get /api/auth/totp': 'getSecondFactor',
  'post /api/auth/totp': 'beginSecondFactor',
  'post /api/auth/totp/confirm': 'confirmSecondFactor',
  'delete /api/auth/totp': 'removeSecondFactor',
  'delete /api/admin/users/{id}/totp': 'resetAdminUserSecondFactor',
  'get /api/profile/deletion': 'getAccountDeletion',
  'post /api/profile/deletion': 'requestAccountDeletion',
  'delete /api/profile/deletion': 'withdrawAccountDeletion',
  'get /api/profile/data': 'downloadOwnData',
  'post /api/auth/passkeys': 'addPasskey',
  'delete /api/auth/passkeys/{id}': 'removePasskey',
  'post /api/auth/passkeys/options': 'beginPasskey',
  'post /api/auth/passkeys/login': 'logInWithPasskey',
  'post /api/auth/passkeys/login/options': 'beginPasskeyLogin',
  'post /api/auth/password/forgot': 'forgotPassword',
  'post /api/auth/password/reset': 'resetPassword',
  'post /api/auth/email/check': 'checkEmail',
  'post /api/auth/email/confirm': 'confirmEmail',
  'post /api/admin/mails/test': 'testMail',
  'post /api/admin/mails/{id}/send': 'sendMail',
  'post /api/classes/join': 'joinClass',
  'post /api/classes/{id}/members/{user_id}/invitation': 'inviteClassMember',
  'get /api/classes/{id}/grades/mine': 'getMyClassGrades',
  'post /api/deletions/undo': 'undoDeletion',
  'delete /api/lessons/themes/{theme_id}/complete': 'uncompleteTheme',
  'get /api/admin/lessons/files': 'listAdminLessonFiles',
  'get /api/admin/lessons/missing-files': 'listAdminMissingLessonFiles',
  'post /api/admin/lessons/import': 'importAdminLessons',
  'post /api/admin/lessons/import-preview': 'previewAdminLessonImport',
  'post /api/containers/create': 'createContainer',
  'get /api/containers/sandbox': 'listSandboxes',
  'get /api/exams/attempts/active': 'getActiveExamAttempt',
  'post /api/exams/attempts/{id}/break': 'startExamBreak',
  'delete /api/exams/attempts/{id}/break': 'endExamBreak',
  'get /api/laboratories/attempts/active': 'listActiveLaboratoryAttempts',
  'get /api/laboratories/section/{section_id}/laboratory': 'getSectionLaboratory',
  'get /api/exam-sessions/calendar.ics': 'getExamSessionsCalendar',
  'get /api/exam-sessions/{id}/calendar.ics': 'getExamSessionCalendar',
  'post /api/exam-sessions/candidates': 'findExamSessionCandidates',
  'post /api/exam-sessions/forecast': 'forecastExamSession',
  'post /api/exam-sessions/{id}/users': 'addExamSessionUsers',
  'post /api/exam-sessions/{id}/end-break': 'endExamSessionBreak',
  'post /api/exam-sessions/{id}/message': 'sendExamSessionMessage',
  'post /api/admin/user-imports': 'createAdminUserImport',
  'post /api/admin/user-imports/check': 'checkAdminUserImport',
  'post /api/admin/user-imports/{id}/invitations': 'inviteAdminUserImport',
  'post /api/admin/users/{id}/invitation': 'inviteAdminUser',
  'get /api/admin/users/export': 'exportAdminUsers',
  'put /api/admin/exams/{id}/tasks/order': 'reorderAdminExamTasks',
  'put /api/admin/laboratories/{id}/tasks/order': 'reorderAdminLaboratoryTasks',
  'get /api/dashboard/activity/export': 'exportDashboardActivity',
  'get /api/instructor/attempts/export': 'exportInstructorAttempts',
  'get /api/instructor/exams/{id}/grade-book/export': 'exportInstructorExamGradeBook',
  'get /api/instructor/laboratories/{id}/grade-book/export': 'exportInstructorLaboratoryGradeBook',
  'get /api/search': 'search',
  'get /api/profile/me': 'getProfile',
  'put /api/profile/me': 'updateProfile',
  'post /api/profile/avatar': 'uploadAvatar',
  'delete /api/profile/avatar': 'deleteAvatar',
};

/**
 * The name of an operation for generated clients, such as `listExams`, `getExam`, `startExam` or `createAdminExamTask`. It follows from the
 * method and the path, so it stays while they do. All segments but the last are in the singular, and the last one before a parameter.
 * @param method in lower case
 * @param path with parameters in braces
 */
export function operationIdOf(method: string, path: string, operation: DocumentedOperation): string {
  const known = wellKnown[`${method} ${path}`];
  if (known !== undefined) return known;
  const segments = path.split('/').filter((segment) => !['', 'api', 'auth', 'lessons'].includes(segment));
  const isParameter = (segment: string | undefined): boolean => segment?.startsWith('{') ?? false;
  const last = segments.at(-1) ?? '';
  const { responses = {} } = operation;
  const isCollection = /[^s]s$/.test(last) && '201' in responses;
  const isAction = method === 'post' && !isParameter(last) && !isCollection;
  const parts = isAction ? segments.slice(0, -1) : segments;
  const named = parts
    .map((segment, index) => (isParameter(parts[index + 1]) ? singular(segment) : segment))
    .filter((segment) => !isParameter(segment))
    .map((segment, index, all) => (index < all.length - 1 ? singular(segment) : segment));
  const schema = responses['200']?.content?.['application/json']?.schema as { type?: unknown } | undefined;
  const verbs: Record<string, string> = {
    get: schema?.type === 'array' ? 'list' : 'get',
    put: 'update',
    post: 'create',
  };
  if (!isAction) {
    const end = method === 'post' ? singular(named.pop() ?? '') : (named.pop() ?? '');
    return (verbs[method] ?? method) + [...named, end].map(capital).join('');
  }
  const verb = capital(last);
  return verb.charAt(0).toLowerCase() + verb.slice(1) + named.map(capital).join('');
}

/** Statuses that most operations can answer. */
const ofEveryOperation = [400, 401, 413, 415, 422, 429, 500, 503];

/** A sentence on the refusals that the operation has for reasons of its own; undefined without any. */
export function ownRefusals({ responses = {} }: DocumentedOperation): string | undefined {
  const own = Object.keys(responses).filter(
    (status) => Number(status) >= 400 && !ofEveryOperation.includes(Number(status)),
  );
  if (own.length === 0) return undefined;
  return `Refusals of its own: ${own.map((status) => `${status} ${STATUS_CODES[status] ?? ''}`.trim()).join(', ')}.`;
}
