import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';

/** For `consumes` of such a route. */
export const tableTypes = ['text/csv', 'text/tab-separated-values', 'text/plain'];

/** The body of a route that takes a table. It is not decoded: the encoding is found from its bytes. */
export const TableBody = Type.Unsafe<Buffer>({
  type: 'string',
  'x-bytes': true,
  description: 'A table with commas, semicolons or tabs, in UTF-8, UTF-16, Windows-1251 or Windows-1252.',
});

/** Lets the routes of a plugin take tables. */
export function acceptTables(app: Pick<FastifyInstance, 'addContentTypeParser'>): void {
  app.addContentTypeParser(tableTypes, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}
