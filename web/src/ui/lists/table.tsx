import { type ReactNode, useState } from 'react';
import { classes } from '../classes.ts';
import { itemOf } from './arrivals.ts';
import { type Direction, nextDirection, SortHead } from './sort-head.tsx';
import { TableFrame } from './table-frame.tsx';
import { SelectAll, type Selection, SelectRow } from './table-selection.tsx';

export type Column<Row> = {
  title: string;
  cell: (row: Row) => ReactNode;
  /** Numbers are right-aligned. */
  isNumber?: boolean;
  /** Hidden in a narrow window. */
  isMinor?: boolean;
  /** Does not wrap. */
  isShort?: boolean;
  /** The buttons of a row: right-aligned, and in sight where a wide table scrolls, except on a phone. */
  isActions?: boolean;
  /** Sorts a table that has all rows. */
  sortBy?: (row: Row) => Sortable;
  /** The service's name of the field, for a list whose pages the service sorts. */
  sort?: string;
  /** The direction of the first click. */
  firstOrder?: Direction;
};

/** The order of a list that the service sorts. */
export type TableOrder = {
  sort: string | undefined;
  order: Direction;
  onSort: (sort: string, order: Direction) => void;
};

type Key = string | number;

/** Rows of data. */
export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
  kind,
  order,
  selection,
}: {
  /** The table's accessible description. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => Key;
  /** What the rows are, as in the API, where they can be created or restored: see ui/lists/arrivals.ts. */
  kind?: string | undefined;
  /** Of a list that the service sorts. */
  order?: TableOrder | undefined;
  selection?: Selection<Row> | undefined;
}) {
  const [own, setOwn] = useState<{ title: string; direction: Direction }>();
  const sortedBy = columns.find(({ title }) => title === own?.title)?.sortBy;
  const shown = sortedBy && own ? inOrder(rows, sortedBy, own.direction) : rows;
  const side = ({ isNumber, isMinor, isActions }: Column<Row>) =>
    classes(
      'px-3',
      isNumber || isActions ? 'text-right tabular-nums' : 'text-left',
      isMinor && 'hidden md:table-cell',
      isActions && 'table-actions',
    );
  const head = (column: Column<Row>): ReactNode => {
    const className = classes(side(column), 'py-2.5 font-medium whitespace-nowrap');
    const { title, sort, sortBy, firstOrder } = column;
    if (order && sort !== undefined) {
      const direction = order.sort === sort ? order.order : undefined;
      const onSort = (): void => order.onSort(sort, nextDirection(direction, firstOrder));
      return <SortHead key={title} {...{ title, direction, onSort, className }} buttonClassName="items-center" />;
    }
    if (sortBy) {
      const direction = own?.title === title ? own.direction : undefined;
      const onSort = (): void => setOwn({ title, direction: nextDirection(direction, firstOrder) });
      return <SortHead key={title} {...{ title, direction, onSort, className }} buttonClassName="items-center" />;
    }
    return (
      <th key={title} scope="col" className={className}>
        {title}
      </th>
    );
  };
  return (
    <TableFrame label={caption}>
      <table>
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {selection && <SelectAll rows={rows} selection={selection} />}
            {columns.map(head)}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={keyOf(row)} {...(kind ? itemOf(kind, keyOf(row)) : {})}>
              {selection && <SelectRow row={row} rows={shown} selection={selection} />}
              {columns.map((column) => (
                <td key={column.title} className={classes(side(column), column.isShort && 'whitespace-nowrap')}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}

/** What rows are sorted by: texts in the order of the language, numbers by size. Nothing comes last in either direction. */
type Sortable = string | number | boolean | null | undefined;

/** The rows in an order. Rows with equal values keep theirs. */
function inOrder<Row>(rows: readonly Row[], of: (row: Row) => Sortable, direction: Direction): Row[] {
  const sign = direction === 'asc' ? 1 : -1;
  return rows.toSorted((a, b) => {
    const [one, other] = [of(a) ?? null, of(b) ?? null];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    if (typeof one === 'string' && typeof other === 'string')
      return sign * one.localeCompare(other, document.documentElement.lang, { numeric: true });
    return sign * (Number(one) - Number(other));
  });
}
