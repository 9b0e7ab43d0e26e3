import { Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { neededPart } from '../routing/needed-part.ts';
import { loadStrings } from '../strings/load-strings.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { onSearchKey } from '../ui/search-key.ts';

const SearchDialog = lazy(() =>
  neededPart(async () => {
    const [module] = await Promise.all([import('../search/search-dialog.tsx'), loadStrings('learning')]);
    return module.SearchDialog;
  }),
);

/** Opens the search, as Ctrl+K and Cmd+K do. */
export function SearchButton({ isAdmin }: { isAdmin: boolean }) {
  const t = useStrings();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => onSearchKey(() => setOpen(true)), []);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
        className="flex min-h-10 items-center gap-2 rounded-md px-2 text-sm text-ink-soft hover:bg-sunken"
      >
        <Search size={18} aria-hidden="true" />
        <span className="max-sm:sr-only">{t.common.search}</span>
        <kbd className="rounded border px-1 text-xs max-lg:hidden">Ctrl+K</kbd>
      </button>
      {isOpen && (
        <Suspense>
          <SearchDialog isAdmin={isAdmin} isOpen onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  );
}
