import type { FastifyRequest } from 'fastify';
import { BadRequestError } from '../../errors.ts';

/** The address of the service for browsers. @param publicUrl the configured one */
export function originOf({ protocol, host }: FastifyRequest, publicUrl: string | undefined): string {
  const origin = publicUrl ?? `${protocol}://${host}`;
  if (!URL.canParse(origin)) throw new BadRequestError('bad_request', 'The host of the request is no address');
  return new URL(origin).origin;
}

/**
 * Whether a page of this service sent the request. Browsers add `Origin` to every POST and every WebSocket request, in its only normal
 * form, so any other form is not from one of our pages. Other clients may send none.
 */
export function isFromOwnPage(request: FastifyRequest): boolean {
  const { origin } = request.headers;
  if (origin === undefined || !URL.canParse(origin) || new URL(origin).origin !== origin) return false;
  const { protocol } = new URL(origin);
  // Where this request is known to use TLS, a page without TLS is not ours: anyone on the network path may have written it.
  if (protocol !== 'https:' && (protocol !== 'http:' || request.protocol === 'https')) return false;
  const own = `${protocol}//${request.host}`;
  return URL.canParse(own) && new URL(own).origin === origin;
}
