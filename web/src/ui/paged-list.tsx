import type { ReactNode } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from './button.tsx';
import { Empty } from './states.tsx';
import { Pages } from './table.tsx';

/** A page of a long list with links to its other pages, or a text where it is empty. */
export function PagedList({
  page,
  pageSize,
  total,
  isEmpty,
  none,
  onPage,
  onClear,
  children,
}: {
  /** From 1. */
  page: number;
  pageSize: number;
  total: number;
  isEmpty: boolean;
  none: { title: string; help?: string | undefined };
  onPage: (page: number) => void;
  /** Clears the filters. Undefined where there are none. */
  onClear?: (() => void) | undefined;
  children: ReactNode;
}) {
  const t = useStrings();
  return (
    <>
      {isEmpty ? (
        <Empty title={none.title} action={onClear && <Button onClick={onClear}>{t.common.clearFilters}</Button>}>
          {none.help}
        </Empty>
      ) : (
        children
      )}
      <Pages page={page} pageSize={pageSize} total={total} onChange={onPage} />
    </>
  );
}
