import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStrings } from '../../strings/use-strings.tsx';
import { classes } from '../classes.ts';

export type Direction = 'asc' | 'desc';

/** The direction after a click on a heading. A second click turns the order round. */
export const nextDirection = (current: Direction | undefined, first: Direction = 'asc'): Direction =>
  current === undefined ? first : current === 'asc' ? 'desc' : 'asc';

/** A heading that sorts its table. */
export function SortHead({
  title,
  direction,
  onSort,
  className,
  buttonClassName,
  hasSign = true,
  children,
}: {
  title: string;
  /** Undefined: the table is sorted by another column. */
  direction: Direction | undefined;
  onSort: () => void;
  className?: string;
  buttonClassName?: string;
  /** Whether the heading shows that it sorts before it does. */
  hasSign?: boolean;
  children?: ReactNode;
}) {
  const t = useStrings();
  const Icon = direction === undefined ? ChevronsUpDown : direction === 'asc' ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      aria-sort={direction === undefined ? undefined : direction === 'asc' ? 'ascending' : 'descending'}
      className={className}
    >
      <button
        type="button"
        title={t.common.sortBy(title)}
        className={classes('inline-flex max-w-full gap-1 hover:text-ink hover:underline', buttonClassName)}
        onClick={onSort}
      >
        <span className="line-clamp-4 min-w-0 [overflow-wrap:anywhere]">{title}</span>
        {(direction !== undefined || hasSign) && (
          <Icon size={14} aria-hidden="true" className={classes('shrink-0', direction === undefined && 'opacity-50')} />
        )}
      </button>
      {children}
    </th>
  );
}
