import { Outlet, useLocation } from '@tanstack/react-router';
import { Menu as MenuIcon } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { useEffect, useState } from 'react';
import { useSession } from '../session/use-session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { IconButton } from '../ui/button.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Navigation } from './navigation.tsx';

/** What stands around every page: the bar at the top, the navigation (beside the page, or behind a button on a phone), and the page. */
export function Shell() {
  const t = useStrings();
  const state = useSession();
  const { pathname } = useLocation();
  const [isOpen, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu
  useEffect(() => setOpen(false), [pathname]);
  if (state.status !== 'in' && state.status !== 'expired') return null;
  const { user } = state;
  return (
    <div className="flex h-full flex-col">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-accent focus:px-4 focus:py-2 focus:text-on-accent"
      >
        {t.common.skipToContent}
      </a>
      <header className="flex h-14 shrink-0 items-center gap-3 border-b bg-surface px-3 sm:px-4">
        <RadixDialog.Root open={isOpen} onOpenChange={setOpen}>
          <RadixDialog.Trigger asChild>
            <IconButton label={t.common.menu} className="lg:hidden">
              <MenuIcon size={20} aria-hidden="true" />
            </IconButton>
          </RadixDialog.Trigger>
          <RadixDialog.Portal>
            <RadixDialog.Overlay className="fixed inset-0 z-40 bg-black/50" />
            <RadixDialog.Content
              aria-describedby={undefined}
              className="fixed inset-y-0 left-0 z-50 w-72 max-w-[85%] overflow-y-auto border-r bg-surface p-3"
            >
              <RadixDialog.Title className="px-3 py-3 font-semibold">{t.common.product}</RadixDialog.Title>
              <Navigation role={user.role} onGo={() => setOpen(false)} />
            </RadixDialog.Content>
          </RadixDialog.Portal>
        </RadixDialog.Root>
        <img src="/favicon.svg" alt="" width={26} height={26} />
        <span className="truncate font-semibold">{t.common.product}</span>
        <div className="ml-auto">
          <AccountMenu user={user} />
        </div>
      </header>
      <div className="flex min-h-0 flex-1">
        <aside className="hidden w-60 shrink-0 overflow-y-auto border-r bg-surface p-3 lg:block">
          <Navigation role={user.role} />
        </aside>
        <main id="content" tabIndex={-1} className="min-w-0 flex-1 overflow-y-auto outline-none">
          <Outlet />
        </main>
      </div>
    </div>
  );
}
