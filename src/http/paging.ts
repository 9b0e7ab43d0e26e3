import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Listed, Page } from '../database/lists/keyset.ts';
import { invalidCursor, readCursor, writeCursor } from './cursors.ts';

export type { Listed, Order, Page } from '../database/lists/keyset.ts';

export const PageQuery = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'From 1.' })),
  page_size: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Rows per page.' })),
});

/** For a list whose `Link` continues from the last row of a page, so that rows which are added meanwhile do not move it. */
export const CursorQuery = Type.Object({
  ...PageQuery.properties,
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1000, description: 'From a `Link` header; instead of `page`.' }),
  ),
});

const defaultSize = 100;

/** The rows for a request's `page` and `page_size`. Unbounded lists are never sent whole: the default is 100 rows. */
export function pageOf(query: Static<typeof PageQuery>): Page {
  const limit = query.page_size ?? defaultSize;
  return { limit, offset: ((query.page ?? 1) - 1) * limit };
}

/** A page of a list as the answer: the rows that the request asks for, with the headers of `setPageHeaders`. */
export async function readPage<Row>(
  request: FastifyRequest & { query: Static<typeof PageQuery> },
  reply: FastifyReply,
  read: (page: Page) => Promise<{ rows: Row[]; total: number }>,
): Promise<Row[]> {
  const page = pageOf(request.query);
  const { rows, total } = await read(page);
  setPageHeaders(request, reply, page, total);
  return rows;
}

/** The rows for a request's `page` or `cursor`. @throws Invalid for both, and for a cursor of another list */
export function cursorPageOf(request: FastifyRequest, query: Static<typeof CursorQuery>): Page {
  const page = pageOf(query);
  if (query.cursor === undefined) return page;
  if (query.page !== undefined) throw invalidCursor('a page has either a number or a cursor');
  return { limit: page.limit, offset: 0, cursor: readCursor(request, query.cursor) };
}

/** Adds `X-Total-Count` and a `Link` header (RFC 8288) with first, prev, next and last, as far as they exist. */
export function setPageHeaders(request: FastifyRequest, reply: FastifyReply, page: Page, total: number): void {
  const current = page.offset / page.limit + 1;
  const last = lastPage(page, total);
  const link = linkOf(request, page);
  const links = [link('first', { page: 1 })];
  if (current > 1) links.push(link('prev', { page: Math.min(current - 1, last) }));
  if (current < last) links.push(link('next', { page: current + 1 }));
  links.push(link('last', { page: last }));
  reply.header('X-Total-Count', String(total)).header('Link', links.join(', '));
}

/**
 * The same for a list with cursors: `prev` and `next` continue from the first and the last row of the page. `X-Total-Count-Estimated` marks
 * a total that is not exact.
 * @param keyOf the values that the list is ordered by
 */
export function setCursorHeaders<Row>(
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page,
  { rows, total, isEstimated, hasPrevious, hasNext }: Listed<Row>,
  keyOf: (row: Row) => (string | number)[],
): void {
  const last = lastPage(page, total);
  const link = linkOf(request, page);
  const links = [link('first', { page: 1 })];
  const [first, final] = [rows[0], rows.at(-1)];
  if (first === undefined && page.offset > 0) links.push(link('prev', { page: last }));
  if (first !== undefined && hasPrevious)
    links.push(link('prev', { cursor: writeCursor(request, { way: 'before', key: keyOf(first) }) }));
  if (final !== undefined && hasNext)
    links.push(link('next', { cursor: writeCursor(request, { way: 'after', key: keyOf(final) }) }));
  links.push(link('last', { page: last }));
  reply.header('X-Total-Count', String(total)).header('Link', links.join(', '));
  if (isEstimated) reply.header('X-Total-Count-Estimated', 'true');
}

/** The key of a row in a list that is ordered by ids. */
export const byId = ({ id }: { id: number }): number[] => [id];

const lastPage = (page: Page, total: number): number => Math.max(1, Math.ceil(total / page.limit));

function linkOf(request: FastifyRequest, page: Page) {
  const [path = '', ...query] = request.url.split('?');
  // Only known parameters: others, repeated four times, could make the header too large for clients.
  const known = [...new URLSearchParams(query.join('?'))].filter(([name]) =>
    Object.hasOwn(request.query as object, name),
  );
  return (rel: string, place: { page: number } | { cursor: string }): string => {
    const parameters = new URLSearchParams(known);
    parameters.delete('cursor' in place ? 'page' : 'cursor');
    for (const [name, value] of Object.entries(place)) parameters.set(name, String(value));
    parameters.set('page_size', String(page.limit));
    return `<${path}?${parameters}>; rel="${rel}"`;
  };
}

/** The same for an answer with the whole list: the links are to the first and the last page of those that a client can request. */
export function setWholeListHeaders(request: FastifyRequest, reply: FastifyReply, total: number): void {
  const page = pageOf({});
  const link = linkOf(request, page);
  const links = [link('first', { page: 1 }), link('last', { page: lastPage(page, total) })];
  reply.header('X-Total-Count', String(total)).header('Link', links.join(', '));
}
