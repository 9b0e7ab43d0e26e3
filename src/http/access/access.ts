import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Role } from '../../database/tables.ts';
import { ForbiddenError, UnauthorizedError } from '../../errors.ts';
import { type CourseRole, courseRoles } from '../../values/course-policies.ts';
import type { StudentView } from '../../values/student-view.ts';
import type { TokenScope } from '../../values/token-scopes.ts';
import { checkView } from './student-views.ts';
import { checkScope } from './token-scopes.ts';

/**
 * Who may call a route. `catalogue` is a signed-in user, or anybody with `ANONYMOUS_CATALOGUE`. `own` is for routes outside `/api`
 * that check access themselves (the terminal's socket closes with a code). `login` is a signed-in user, or without a token the pages' cookie,
 * which the route itself checks. The roles of course staff are for routes behind the door of a course.
 */
export type Access = 'public' | 'catalogue' | 'login' | 'user' | 'instructor' | 'admin' | 'own' | CourseRole;

/** Decides on requests through the doors of courses. */
export type Doorkeeper = {
  /** Called for each route of a door. @throws Error for a parameter whose course it could not find out */
  declare: (url: string) => void;
  /**
   * Called before the validation and after it, whose ids count.
   * @throws NotFoundError for whom the course or a part of it does not exist, ForbiddenError for a lower role
   */
  admit: (request: FastifyRequest, caller: Caller, needed: CourseRole) => Promise<void>;
  /** Called when the fields are known. @throws the same for what they refer to */
  checkFields: (request: FastifyRequest) => Promise<void>;
};

const isCourseRole = (access: Access): access is CourseRole => courseRoles.some((role) => role === access);

/** How far the rights of staff reach: to all students and classes, or to those of the own classes. */
export type Scope = 'all' | 'classes';

/** The user of a request, as currently stored in the database. */
export type Caller = {
  id: number;
  username: string;
  role: Role;
  /** `all` for administrators, `INSTRUCTOR_SCOPE` for others. */
  scope: Scope;
  /** The id of the login that the token of the request belongs to. Absent where the service acts for the user. */
  login?: string;
  view?: StudentView;
  /** What the personal token of the request permits. Absent for logins. */
  tokenScopes?: readonly TokenScope[];
  /** The installation requires a second factor of the user, who has none yet. */
  mustSetUp?: boolean;
};

/** Finds the user of a bearer token. @throws UnauthorizedError */
export type Authenticate<User extends Caller = Caller> = (token: string) => User | Promise<User>;

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** Also for users who must set up a second factor first. */
    isForSetUp?: boolean;
  }
  interface FastifyRequest {
    /** Undefined only on public routes, on the anonymous catalogue, and for a request with the pages' cookie. */
    user: Caller | undefined;
  }
}

/** The caller of a route whose access guarantees one. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.user) throw new UnauthorizedError('unauthorized', 'Not authenticated');
  return request.user;
}

export function bearerToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^Bearer +([^ ]+) *$/i.exec(header)?.[1];
}

/** Refuses non-administrators. The sentence is the same everywhere, because clients search for it. */
export function requireAdmin(caller: Caller): void {
  if (caller.role !== 'admin') throw new ForbiddenError('admin_required', 'Admin access required');
}

function checkRole(user: Caller, access: Access): void {
  if (access === 'admin') requireAdmin(user);
  if (access === 'instructor' && user.role === 'student')
    throw new ForbiddenError('instructor_required', 'Instructor access required');
}

/**
 * Enforces access control on every route registered afterwards. A route without declared access fails to register, so the server
 * does not start.
 * @param options.count counts each request once, also one that is refused here @returns an error for one too many
 */
export function installAccess(
  app: FastifyInstance,
  authenticate: Authenticate,
  isCatalogueAnonymous: boolean,
  options: { count?: (request: FastifyRequest) => Error | undefined; doorkeeper?: Doorkeeper | undefined } = {},
): void {
  const { count = () => undefined, doorkeeper } = options;
  app.decorateRequest('user', undefined);

  app.addHook('onRoute', (route: RouteOptions) => {
    const { access } = route.config ?? {};
    if (access === undefined) throw new Error(`${String(route.method)} ${route.url} does not declare its access`);
    if (isCourseRole(access)) keeper().declare(route.url);
  });
  const keeper = (): Doorkeeper => {
    if (!doorkeeper) throw new Error('A route behind the door of a course needs a doorkeeper');
    return doorkeeper;
  };

  /** Not a promise for a caller who is known, as almost everybody is. @throws UnauthorizedError */
  const userOf = (request: FastifyRequest, access: Access): Caller | undefined | Promise<Caller> => {
    const header = request.headers.authorization;
    if (header === undefined && (access === 'login' || (access === 'catalogue' && isCatalogueAnonymous)))
      return undefined;
    const token = bearerToken(header);
    if (token === undefined) throw new UnauthorizedError('unauthorized', 'Not authenticated');
    return authenticate(token);
  };
  const admit = (request: FastifyRequest, access: Access, user: Caller | undefined): void | Promise<void> => {
    request.user = user;
    if (!user) return;
    if (user.view) checkView(request, user.view);
    if (user.tokenScopes) checkScope(request, user.tokenScopes, user.id);
    if (user.mustSetUp && !request.routeOptions.config.isForSetUp)
      throw new ForbiddenError('second_factor_missing', 'Set up a second factor first');
    if (isCourseRole(access)) return keeper().admit(request, user, access);
    checkRole(user, access);
  };
  const check = (request: FastifyRequest, access: Access, done: (error?: Error) => void): void => {
    let problem: Error | undefined;
    try {
      const user = userOf(request, access);
      if (user instanceof Promise) {
        user.then((found) => admit(request, access, found)).then(() => done(), done);
        return;
      }
      const admission = admit(request, access, user);
      if (admission) {
        admission.then(() => done(), done);
        return;
      }
    } catch (error) {
      problem = error as Error;
    }
    done(problem);
  };

  app.addHook('onRequest', (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
    const access = request.routeOptions.config.access;
    // No route matched (404, 405): nothing to protect.
    if (access === undefined || access === 'public' || access === 'own') return done(count(request));
    check(request, access, (error) => done(count(request) ?? error));
  });

  // Checked again after waiting for a body: its sender may have been demoted, signed out or deleted in the meantime.
  app.addHook('preHandler', (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
    const access = request.routeOptions.config.access;
    if (access === undefined || access === 'public' || access === 'own') return done();
    if (isCourseRole(access)) return void checkAtDoor(request, access).then(() => done(), done);
    if (request.body === undefined) return done();
    check(request, access, done);
  });

  const checkAtDoor = async (request: FastifyRequest, access: CourseRole): Promise<void> => {
    // Again also without a body: the validation has read the ids in the path by now.
    await new Promise<void>((resolve, reject) =>
      check(request, access, (error) => (error ? reject(error) : resolve())),
    );
    await keeper().checkFields(request);
  };
}
