import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useStrings } from '../../strings/use-strings.tsx';
import { Button } from '../button.tsx';

/** Links to the other pages of a list. Hidden where there is only one page. */
export function Pages({
  page,
  pageSize,
  total,
  isMinimum = false,
  hasNext = false,
  onChange,
}: {
  /** From 1. */
  page: number;
  pageSize: number;
  total: number;
  /** Whether there are more than `total`. Then the last page is not known, and `hasNext` says whether a page follows. */
  isMinimum?: boolean | undefined;
  hasNext?: boolean | undefined;
  onChange: (page: number) => void;
}) {
  const t = useStrings();
  const pages = Math.max(1, Math.ceil(total / pageSize));
  if (pages === 1) return null;
  const place = isMinimum ? t.common.page(page) : t.common.pageOf(page, pages);
  return (
    <nav aria-label={place} className="flex flex-wrap items-center gap-3 text-sm">
      <Button size="small" disabled={page <= 1} onClick={() => onChange(page - 1)}>
        <ChevronLeft size={16} aria-hidden="true" /> {t.common.previous}
      </Button>
      <span>{place}</span>
      <Button size="small" disabled={isMinimum ? !hasNext : page >= pages} onClick={() => onChange(page + 1)}>
        {t.common.next} <ChevronRight size={16} aria-hidden="true" />
      </Button>
      <span className="text-ink-soft">{isMinimum ? t.common.moreThan(total) : t.common.total(total)}</span>
    </nav>
  );
}
