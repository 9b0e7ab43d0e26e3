import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from './button.tsx';
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

/** Links to the other pages of a list. Hidden where there is only one page. */
export function Pages({
  page,
  pageSize,
  total,
  isEstimated = false,
  onChange,
}: {
  /** From 1. */
  page: number;
  pageSize: number;
  total: number;
  isEstimated?: boolean;
  onChange: (page: number) => void;
}) {
  const t = useStrings();
  const pages = Math.max(1, Math.ceil(total / pageSize));
  if (pages === 1) return null;
  return (
    <nav aria-label={t.common.pageOf(page, pages)} className="flex flex-wrap items-center gap-3 text-sm">
      <Button size="small" disabled={page <= 1} onClick={() => onChange(page - 1)}>
        <ChevronLeft size={16} aria-hidden="true" /> {t.common.previous}
      </Button>
      <span>{t.common.pageOf(page, pages)}</span>
      <Button size="small" disabled={page >= pages} onClick={() => onChange(page + 1)}>
        {t.common.next} <ChevronRight size={16} aria-hidden="true" />
      </Button>
      <span className="text-ink-soft">{isEstimated ? t.common.aboutTotal(total) : t.common.total(total)}</span>
    </nav>
  );
}
