import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';

export const PageQuery = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'From 1.' })),
  page_size: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Rows per page.' })),
});

export type Page = { limit: number; offset: number };

const defaultSize = 100;

/** The rows for a request's `page` and `page_size`. Unbounded lists are never sent whole: the default is 100 rows. */
export function pageOf(query: Static<typeof PageQuery>): Page {
  const limit = query.page_size ?? defaultSize;
  return { limit, offset: ((query.page ?? 1) - 1) * limit };
}

/** Adds `X-Total-Count` and a `Link` header (RFC 8288) with first, prev, next and last, as far as they exist. */
export function setPageHeaders(request: FastifyRequest, reply: FastifyReply, page: Page, total: number): void {
  const current = page.offset / page.limit + 1;
  const last = Math.max(1, Math.ceil(total / page.limit));
  const [path = '', ...query] = request.url.split('?');
  // Only known parameters: others, repeated four times, could make the header too large for clients.
  const known = [...new URLSearchParams(query.join('?'))].filter(([name]) =>
    Object.hasOwn(request.query as object, name),
  );
  const link = (rel: string, number: number): string => {
    const parameters = new URLSearchParams(known);
    parameters.set('page', String(number));
    parameters.set('page_size', String(page.limit));
    return `<${path}?${parameters}>; rel="${rel}"`;
  };
  const links = [link('first', 1)];
  if (current > 1) links.push(link('prev', Math.min(current - 1, last)));
  if (current < last) links.push(link('next', current + 1));
  links.push(link('last', last));
  reply.header('X-Total-Count', String(total)).header('Link', links.join(', '));
}
