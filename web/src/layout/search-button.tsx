import { Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { loadStrings } from '../strings/load-strings.ts';
import { useStrings } from '../strings/use-strings.tsx';

const SearchDialog = lazy(async () => {
  const [{ SearchDialog: component }] = await Promise.all([
    import('../search/search-dialog.tsx'),
    loadStrings('learning'),
  ]);
  return { default: component };
});

/** In a shell and in an editor these keys have a meaning of their own. */
const hasOwnKeys = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('.xterm, .cm-editor') !== null;

/** Opens the search, as Ctrl+K and Cmd+K do. */
export function SearchButton({ isAdmin }: { isAdmin: boolean }) {
  const t = useStrings();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.code !== 'KeyK' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      if (event.defaultPrevented || hasOwnKeys(event.target)) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
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
