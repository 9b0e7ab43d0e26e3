import type { ReactNode } from 'react';
import { classes } from './classes.ts';

export type Column<Row> = {
  title: string;
  cell: (row: Row) => ReactNode;
  /** Numbers are right-aligned. */
  isNumber?: boolean;
  /** Hidden in a narrow window. */
  isMinor?: boolean;
  /** Does not wrap. */
  isShort?: boolean;
};

/** Rows of data. In a narrow window the table itself scrolls, by keyboard as well. */
export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
}: {
  /** The table's accessible description. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
}) {
  const side = ({ isNumber, isMinor }: Column<Row>) =>
    classes('px-3 py-2.5', isNumber ? 'text-right tabular-nums' : 'text-left', isMinor && 'hidden md:table-cell');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard (axe: scrollable-region-focusable)
    <section aria-label={caption} tabIndex={0} className="relative overflow-x-auto rounded-lg border bg-surface">
      <table className="w-full text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead className="border-b text-ink-soft">
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" className={classes(side(column), 'font-medium whitespace-nowrap')}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-b last:border-0 hover:bg-sunken/60">
              {columns.map((column) => (
                <td key={column.title} className={classes(side(column), column.isShort && 'whitespace-nowrap')}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
