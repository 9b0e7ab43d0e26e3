import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { countedRows, type Listed, type Page } from '../../database/lists/keyset.ts';
import { invalidCursor, readCursor, writeCursor } from './cursors.ts';

export type { Listed, Order, Page } from '../../database/lists/keyset.ts';

/** Rows of a page at most, and where only its number is given. */
export const maxPageSize = 100;
/** Rows of a list that is asked for as a whole: clients of 0.2.0 know no pages. Beyond them it ends, with a link to the next page. */
export const maxWholeRows = 10_000;

export const PageQuery = Type.Object({
  page: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: 1_000_000 },
      description: `From 1. Without \`page\` and \`page_size\` the list is whole, up to ${maxWholeRows} rows; beyond, \`Link\` has \`next\`.`,
    }),
  ),
  page_size: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maxPageSize, description: `Rows per page; by default ${maxPageSize}.` }),
  ),
});

/** For a list whose `Link` continues from the last row of a page, so that rows which are added meanwhile do not move it. */
export const CursorQuery = Type.Object({
  ...PageQuery.properties,
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1000, description: 'From a `Link` header; instead of `page`.' }),
  ),
});

/** Whether a request names neither a page nor a size. */
export const isWhole = ({ page, page_size, cursor }: Static<typeof CursorQuery>): boolean =>
  page === undefined && page_size === undefined && cursor === undefined;

/** The rows for a request's `page` and `page_size`, and without them as many as a whole list has. */
export function pageOf(query: Static<typeof CursorQuery>): Page {
  if (isWhole(query)) return { limit: maxWholeRows, offset: 0 };
  const limit = query.page_size ?? maxPageSize;
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

/** The rows for a request's `page` or `cursor`. @throws InvalidError for both, and for a cursor of another list */
export function cursorPageOf(request: FastifyRequest, query: Static<typeof CursorQuery>): Page {
  const page = pageOf(query);
  if (query.cursor === undefined) return page;
  if (query.page !== undefined) throw invalidCursor('a page has either a number or a cursor');
  return { limit: page.limit, offset: 0, cursor: readCursor(request, query.cursor) };
}

/**
 * Adds `X-Total-Count` and a `Link` header (RFC 8288) with first, prev, next and last, as far as they exist. A total above `countedRows` is
 * told as this number, with `X-Total-Is-Minimum`.
 */
export function setPageHeaders(request: FastifyRequest, reply: FastifyReply, page: Page, total: number): void {
  const size = linkedSize(page);
  const end = page.offset + page.limit;
  const last = lastPage(page, total);
  const link = linkOf(request, page);
  const links = [link('first', { page: 1 })];
  if (page.offset > 0) links.push(link('prev', { page: Math.min(page.offset / size, last) }));
  if (end < total) links.push(link('next', { page: end / size + 1 }));
  links.push(link('last', { page: last }));
  reply.header('Link', links.join(', '));
  setTotal(reply, total);
}

function setTotal(reply: FastifyReply, total: number): void {
  reply.header('X-Total-Count', String(Math.min(total, countedRows)));
  if (total > countedRows) reply.header('X-Total-Is-Minimum', 'true');
}

/**
 * The same for a list with cursors: `prev` and `next` continue from the first and the last row of the page. The last page of a list with more
 * than `countedRows` rows is not known.
 * @param keyOf the values that the list is ordered by
 */
export function setCursorHeaders<Row>(
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page,
  { rows, total, hasPrevious, hasNext }: Listed<Row>,
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
  if (total <= countedRows) links.push(link('last', { page: last }));
  reply.header('Link', links.join(', '));
  setTotal(reply, total);
}

/** The key of a row in a list that is ordered by ids. */
export const byId = ({ id }: { id: number }): number[] => [id];

/** The size of the pages that links lead to. */
const linkedSize = ({ limit }: Page): number => Math.min(limit, maxPageSize);

const lastPage = (page: Page, total: number): number => Math.max(1, Math.ceil(total / linkedSize(page)));

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
    parameters.set('page_size', String(linkedSize(page)));
    return `<${path}?${parameters}>; rel="${rel}"`;
  };
}

/** The same for an answer with the whole list, whatever its length. */
export const setWholeListHeaders = (request: FastifyRequest, reply: FastifyReply, total: number): void =>
  setPageHeaders(request, reply, { limit: Math.max(total, maxPageSize), offset: 0 }, total);
