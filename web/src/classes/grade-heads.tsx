import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { classes } from '../ui/classes.ts';
import type { GradesSearch } from './queries.ts';

export type Sort = { search: GradesSearch; onSort: (change: Partial<GradesSearch>) => void };

/** A heading. A first click sorts figures from the highest, names from the first; a second one turns the order round. */
export function Head({
  name,
  title,
  search,
  onSort,
  className,
  children,
}: { name: string; title: string; className?: string; children?: ReactNode } & Sort) {
  const t = useStrings();
  const { sort = 'username', order = 'asc' } = search;
  const isSorted = sort === name;
  const first = name === 'username' ? 'asc' : 'desc';
  const next = isSorted ? (order === 'asc' ? 'desc' : 'asc') : first;
  const Icon = order === 'asc' ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (order === 'asc' ? 'ascending' : 'descending') : undefined}
      className={classes('max-w-32 min-w-18', className)}
    >
      <button
        type="button"
        title={t.gradeBook.sortBy(title)}
        className="inline-flex max-w-full items-end gap-1 text-left hover:text-ink hover:underline"
        onClick={() => onSort({ sort: name, order: next })}
      >
        <span className="line-clamp-4 min-w-0 [overflow-wrap:anywhere]">{title}</span>
        {isSorted && <Icon size={14} aria-hidden="true" className="shrink-0" />}
      </button>
      {children}
    </th>
  );
}

/** The maximum of a column, and its weight if it is not one. */
export function Worth({ max, weight }: { max: number; weight: number }) {
  const { gradeBook: words } = useStrings();
  const format = useFormat();
  return (
    <span className="block text-xs font-normal whitespace-nowrap">
      {words.outOf(format.decimal(max))}
      {weight !== 1 && <span className="block">{words.weightOf(format.decimal(weight))}</span>}
    </span>
  );
}
