import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { OneOf } from '../protocol/schemas.ts';
import { invalidCursor } from './cursors.ts';
import { type CursorQuery, cursorPageOf, type Order, type Page } from './paging.ts';

/** The direction alone, of a list that declares its own `sort`. */
export const directionQuery = {
  order: Type.Optional({ ...OneOf('asc', 'desc'), description: 'The direction of `sort`.' }),
};

/** The parameters of a list that can be sorted. The first field is the default. */
export const sortQuery = <const Field extends string>(...fields: [Field, ...Field[]]) => ({
  sort: Type.Optional({
    ...OneOf(...fields),
    description: `The field that the list is sorted by: \`${fields[0]}\` by default.`,
  }),
  ...directionQuery,
});

export type Sorted<Field extends string> = { sort?: Field; order?: 'asc' | 'desc' };

/** What a request asks for. @param usual without `sort` and `order` */
export const orderOf = <Field extends string>({ sort, order }: Sorted<Field>, usual: Order<Field>): Order<Field> => ({
  by: sort ?? usual.by,
  isDescending: order === undefined ? sort === undefined && usual.isDescending : order === 'desc',
});

/** The key of a row in the cursors of a list. That of a list in the order of ids has the id alone. */
export const sortKey = (by: string, value: string | number, id: number): (string | number)[] =>
  by === 'id' ? [id] : [by, value, id];

/** The parts of a key that names its field: the field, the value and the id. */
const namedKey = 3;

/**
 * The same as `cursorPageOf` for a list that can be sorted.
 * @param unnamed the field of the keys that name none
 * @throws InvalidError for a cursor of another field
 */
export function sortedPageOf(
  request: FastifyRequest,
  query: Static<typeof CursorQuery>,
  { by }: Order<string>,
  unnamed = 'id',
): Page {
  const page = cursorPageOf(request, query);
  const key = page.cursor?.key;
  if (key && (key.length === namedKey ? key[0] : unnamed) !== by)
    throw invalidCursor('the cursor is for another order of the list; start at its first page');
  return page;
}
