import { useLocation } from '@tanstack/react-router';
import { Menu as MenuIcon, PanelLeft, Search } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useSession } from '../api/use-session.ts';
import type { User } from '../api/user.ts';
import { Bell } from '../notifications/bell.tsx';
import { neededPart } from '../routing/needed-part.ts';
import { loadStrings } from '../strings/load-strings.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { IconButton } from '../ui/button.tsx';
import { Logo } from '../ui/logo.tsx';
import { remember, remembered } from '../ui/remember.ts';
import { onSearchKey, takeTyped } from '../ui/search-key.ts';
import { useSite } from '../ui/site.ts';
import { AccountButton } from './account-button.tsx';
import { Navigation } from './navigation.tsx';
import { RunningExam, useRunningExam } from './running-exam.tsx';

// No page requires any of them, so they are loaded on demand.
const AccountMenu = lazy(() => neededPart(async () => (await import('./account-menu.tsx')).AccountMenu));
const NavigationDrawer = lazy(() => neededPart(async () => (await import('./navigation-drawer.tsx')).NavigationDrawer));
// It has texts of the page that it begins on.
const ViewStrip = lazy(() => neededPart(async () => (await import('./view-strip.tsx')).ViewStrip));
/** Whether the navigation beside the page is hidden, which the browser remembers. */
const foldedName = 'navigation-folded';

/** Leads and keeps the focus in the content of the page. Where that cannot be loaded, the browser does what it does. */
function useFocus() {
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    const end = new AbortController();
    import('./focus.ts').then(
      ({ followFocus }) => main.current && !end.signal.aborted && followFocus(main.current, end.signal),
      () => {},
    );
    return () => end.abort();
  }, []);
  return main;
}

/**
 * The frame of every page: the bar at the top, the navigation (beside the page, or behind a button on a phone), and the page. An exam at work
 * is alone: its page has the clock and the way out itself.
 */
export function Shell({ children }: { children: ReactNode }) {
  const t = useStrings();
  const { product } = useSite();
  const state = useSession();
  const { pathname } = useLocation();
  const main = useFocus();
  const [isOpen, setOpen] = useState(false);
  const [isFolded, setFolded] = useState(() => remembered(foldedName) === 'true');
  const [isMenuWanted, setMenuWanted] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu
  useEffect(() => setOpen(false), [pathname]);
  const user = state.status === 'in' || state.status === 'expired' ? state.user : undefined;
  const { view } = state;
  const running = useRunningExam(user?.id);
  const { isAtWork } = running;
  // The key of the search is taken, and what is typed after it belongs to the exam.
  useEffect(() => (isAtWork ? onSearchKey(takeTyped) : undefined), [isAtWork]);
  if (!user) return null;
  const fold = (next: boolean): void => {
    remember(foldedName, next ? 'true' : null);
    setFolded(next);
  };
  return (
    <div data-frame className="flex h-full flex-col">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-accent focus:px-4 focus:py-2 focus:text-on-accent"
      >
        {t.common.skipToContent}
      </a>
      {view && (
        <Suspense>
          <ViewStrip user={user} view={view} />
        </Suspense>
      )}
      {!isAtWork && (
        <header className="flex h-14 shrink-0 items-center gap-3 border-b bg-surface px-3 sm:px-4">
          <IconButton
            label={t.common.menu}
            className="lg:hidden"
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            onClick={() => setOpen(true)}
          >
            <MenuIcon size={20} aria-hidden="true" />
          </IconButton>
          <IconButton
            label={isFolded ? t.common.showMenu : t.common.hideMenu}
            className="max-lg:hidden"
            aria-expanded={!isFolded}
            onClick={() => fold(!isFolded)}
          >
            <PanelLeft size={20} aria-hidden="true" />
          </IconButton>
          {isOpen && (
            <Suspense>
              <NavigationDrawer role={user.role} isOpen onOpenChange={setOpen} />
            </Suspense>
          )}
          <Logo />
          <span className="truncate font-semibold">{product}</span>
          {/* What these show is the student's own. */}
          {!view && (
            <div className="ml-auto flex items-center gap-1">
              <SearchButton user={user} />
              <Bell key={user.id} userId={user.id} />
              {isMenuWanted ? (
                <Suspense fallback={<AccountButton user={user} aria-busy="true" />}>
                  <AccountMenu user={user} />
                </Suspense>
              ) : (
                <AccountButton user={user} aria-expanded="false" onClick={() => setMenuWanted(true)} />
              )}
            </div>
          )}
        </header>
      )}
      <RunningExam running={running} />
      <div className="flex min-h-0 flex-1">
        {!isFolded && !isAtWork && (
          <aside className="hidden w-60 shrink-0 overflow-y-auto border-r bg-surface p-3 lg:block">
            <Navigation role={user.role} />
          </aside>
        )}
        <main
          ref={main}
          id="content"
          data-scroll-restoration-id="page"
          tabIndex={-1}
          className="min-w-0 flex-1 overflow-y-auto outline-none"
        >
          {children}
        </main>
      </div>
    </div>
  );
}

const SearchDialog = lazy(() =>
  neededPart(async () => {
    const [module] = await Promise.all([import('../search/search-dialog.tsx'), loadStrings('learning')]);
    return module.SearchDialog;
  }),
);

/** Opens the search, as Ctrl+K and Cmd+K do. */
function SearchButton({ user }: { user: User }) {
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
          <SearchDialog user={user} isOpen onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  );
}
