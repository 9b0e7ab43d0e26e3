import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { KeyedHash } from '../../database/keyed-hash.ts';
import type { Cursor } from '../../database/lists/keyset.ts';
import { InvalidError } from '../../errors.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Signs the cursors of lists. The same in all processes, and after a restart. */
    cursorHash: KeyedHash;
  }
}

/** Changes with the format of cursors or the order of a list, so that older cursors are refused. */
const version = 2;
/** Characters of a signature in a cursor: 96 bits. */
const signatureLength = 16;

export function installCursors(app: FastifyInstance, hash: KeyedHash): void {
  app.decorate('cursorHash', hash);
}

/** A cursor is valid for the list of this path, with any filters. */
const signature = (request: FastifyRequest, payload: string): string =>
  request.server.cursorHash(`cursor ${version} ${pathOf(request)} ${payload}`).slice(0, signatureLength);

/** The path without a trailing slash, which the router ignores. */
const pathOf = (request: FastifyRequest): string => (request.url.split('?', 1)[0] ?? '').replace(/\/+$/, '');

/** An opaque text for a place in the list of this request. */
export function writeCursor(request: FastifyRequest, { way, key }: Cursor): string {
  const payload = Buffer.from(JSON.stringify([way, ...key])).toString('base64url');
  return `${payload}.${signature(request, payload)}`;
}

/** @throws InvalidError unless the service wrote it for this list */
export function readCursor(request: FastifyRequest, text: string): Cursor {
  const [payload = '', signed = ''] = text.split('.');
  const expected = Buffer.from(signature(request, payload));
  const given = Buffer.from(signed);
  if (given.length !== expected.length || !timingSafeEqual(given, expected) || text.split('.').length !== 2) {
    throw invalidCursor('the cursor is not one of this list; start at its first page');
  }
  const [way, ...key] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [Cursor['way'], ...Cursor['key']];
  return { way, key };
}

export const invalidCursor = (problem: string): InvalidError =>
  new InvalidError([{ loc: ['query', 'cursor'], msg: `Value error, ${problem}`, type: 'value_error' }]);
