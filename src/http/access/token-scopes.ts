import type { FastifyRequest } from 'fastify';
import { ForbiddenError } from '../../errors.ts';
import { courseRoles } from '../../values/course-policies.ts';
import type { TokenScope } from '../../values/token-scopes.ts';

/** What is of people alone: a profile, a place in a class, a look at the pages of a student. */
const ofPeople = /^\/api\/(?:profile\/|classes\/join|teaching\/test-student)|\/view$/;

/**
 * @param userId negative for a service account
 * @throws ForbiddenError for what a personal token with these scopes does not permit
 */
export function checkScope(request: FastifyRequest, scopes: readonly TokenScope[], userId: number): void {
  if (userId < 0 && request.method !== 'GET' && ofPeople.test(request.routeOptions.url ?? ''))
    throw new ForbiddenError('scope', 'A service account does not do this');
  const needed = neededScope(request);
  if (needed === undefined) throw new ForbiddenError('scope', 'A personal token does not permit this');
  if (!scopes.includes(needed)) throw new ForbiddenError('scope', `The token does not have the scope "${needed}"`);
}

const ofGrades =
  /^\/api\/(?:instructor\/|classes\/:id\/(?:grade|progress)|exam-sessions\/:id\/(?:(?:regrade|signals)$|room))/;
/** The tasks with their checks and right answers. */
const ofContent = /\/revisions(?:\/|$)/;

/**
 * The scope that a request needs. Undefined for logins, passwords, tokens and the views of students, which give a token as well: one that was
 * stolen must not outlive its end. So is it for the archive of all data, which has the logins.
 */
function neededScope({ method, routeOptions: { url = '', config, schema } }: FastifyRequest): TokenScope | undefined {
  const { access } = config;
  const tags: readonly string[] = schema?.tags ?? [];
  if (url === '/api/auth/me') return 'read';
  if (url === '/api/profile/data') return undefined;
  if (tags.includes('auth') || (method === 'POST' && url.endsWith('/view'))) return undefined;
  if (access === 'admin') return 'admin';
  if (url.startsWith('/api/teaching/') || courseRoles.some((role) => role === access)) return 'content';
  if (ofGrades.test(url)) return 'grades';
  if (access === 'instructor' && ofContent.test(url)) return 'content';
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
}
