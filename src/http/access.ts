import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Role } from '../database/tables.ts';
import { Forbidden, Unauthorized } from '../errors.ts';

/**
 * Who may call a route. `catalogue` is a signed-in user, or anybody where `ANONYMOUS_CATALOGUE` opens the catalogue.
 * `own` is for routes outside `/api` that settle access themselves (the terminal's socket closes with a code).
 */
export type Access = 'public' | 'catalogue' | 'user' | 'instructor' | 'admin' | 'own';

/** The user a request comes from, as the database knows them now. */
export type Caller = {
  id: number;
  username: string;
  role: Role;
};

/** Finds out whom a bearer token belongs to. @throws Unauthorized */
export type Authenticate<User extends Caller = Caller> = (token: string) => User | Promise<User>;

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyRequest {
    /** Undefined only on public routes and on the anonymous catalogue. */
    user: Caller | undefined;
  }
}

/** The caller of a route whose access guarantees one. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.user) throw new Unauthorized('unauthorized', 'Not authenticated');
  return request.user;
}

export function bearerToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^Bearer +([^ ]+) *$/i.exec(header)?.[1];
}

/** A student may not; the same sentence everywhere, because clients look for it. */
export function requireAdmin(caller: Caller): void {
  if (caller.role !== 'admin') throw new Forbidden('admin_required', 'Admin access required');
}

function checkRole(user: Caller, access: Access): void {
  if (access === 'admin') requireAdmin(user);
  if (access === 'instructor' && user.role === 'student')
    throw new Forbidden('instructor_required', 'Instructor access required');
}

/**
 * Puts access control in front of every route registered afterwards. A route that does not declare its access does not
 * register, so the server does not start.
 */
export function installAccess(app: FastifyInstance, authenticate: Authenticate, isCatalogueAnonymous: boolean): void {
  app.decorateRequest('user', undefined);

  app.addHook('onRoute', (route: RouteOptions) => {
    if (route.config?.access === undefined)
      throw new Error(`${String(route.method)} ${route.url} does not declare its access`);
  });

  const check = async (request: FastifyRequest, access: Access): Promise<void> => {
    const header = request.headers.authorization;
    if (header === undefined && access === 'catalogue' && isCatalogueAnonymous) return;
    const token = bearerToken(header);
    if (token === undefined) throw new Unauthorized('unauthorized', 'Not authenticated');
    request.user = await authenticate(token);
    checkRole(request.user, access);
  };

  app.addHook('onRequest', (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
    const access = request.routeOptions.config.access;
    // No route matched (404, 405): nothing to guard.
    if (access === undefined || access === 'public' || access === 'own') return done();
    check(request, access).then(() => done(), done);
  });

  // Again where a body had to be waited for: its sender may have been demoted, signed out or deleted meanwhile.
  app.addHook('preHandler', (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
    const access = request.routeOptions.config.access;
    if (access === undefined || access === 'public' || access === 'own' || request.body === undefined) return done();
    check(request, access).then(() => done(), done);
  });
}
