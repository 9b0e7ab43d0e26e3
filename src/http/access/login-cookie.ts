import type { FastifyReply, FastifyRequest } from 'fastify';
import { ForbiddenError } from '../../errors.ts';
import { isFromOwnPage } from './own-origin.ts';

/** The cookie in which the pages keep a login. Browsers send it to one route only, and scripts cannot read it. */
const name = 'login';
const path = '/api/auth/refresh';

/**
 * The value of the cookie.
 * @returns undefined without one, and for several, of which another host of the same domain may have set one
 * @throws ForbiddenError unless one of our own pages sent the request
 */
export function readLoginCookie(request: FastifyRequest): string | undefined {
  const values = cookiesOf(request, name);
  if (values.length === 0) return undefined;
  requireOwnPage(request);
  return values.length === 1 ? values[0] : undefined;
}

/** The values of all cookies of a name. */
export const cookiesOf = ({ headers: { cookie = '' } }: FastifyRequest, of: string): string[] =>
  cookie
    .split(';')
    .map((pair) => pair.trim())
    .flatMap((pair) => (pair.startsWith(`${of}=`) ? pair.slice(of.length + 1) : []));

/** @throws ForbiddenError */
export function requireOwnPage(request: FastifyRequest): void {
  // Browsers that send it say the same as the origin does. Over plain HTTP they send none.
  const { 'sec-fetch-site': site = 'same-origin' } = request.headers;
  if (!isFromOwnPage(request) || site !== 'same-origin')
    throw new ForbiddenError('forbidden', 'Only pages of this service, at the address of this request, use its cookie');
}

/** Without a time of expiry: browsers delete the cookie when they are closed. */
export const setLoginCookie = (
  request: FastifyRequest,
  reply: FastifyReply,
  value: string,
  isSecure?: boolean,
): unknown => reply.header('Set-Cookie', `${name}=${value}; ${attributes(request, isSecure)}`);

export const clearLoginCookie = (request: FastifyRequest, reply: FastifyReply): unknown =>
  reply.header('Set-Cookie', `${name}=; Max-Age=0; ${attributes(request)}`);

/** The page knows whether it was loaded over TLS, also where a proxy does not tell the service. */
const attributes = (
  { headers: { origin } }: FastifyRequest,
  isSecure = origin?.startsWith('https:') ?? false,
): string => `Path=${path}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
