import type { ReactNode } from 'react';
import { useFormat, useStrings } from '../../strings/use-strings.tsx';
import type { GradesSearch } from '../../teaching-model/classes.ts';
import { classes } from '../../ui/classes.ts';
import { nextDirection, SortHead } from '../../ui/lists/sort-head.tsx';

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
  const { sort = 'username', order = 'asc' } = search;
  const direction = sort === name ? order : undefined;
  const next = nextDirection(direction, name === 'username' ? 'asc' : 'desc');
  return (
    <SortHead
      title={title}
      direction={direction}
      onSort={() => onSort({ sort: name, order: next })}
      className={classes('max-w-32 min-w-18', className)}
      buttonClassName="items-end text-left"
      hasSign={false}
    >
      {children}
    </SortHead>
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
