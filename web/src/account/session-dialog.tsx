import { Dialog as RadixDialog } from 'radix-ui';
import { useEffect } from 'react';
import { session } from '../api/session.ts';
import type { User } from '../api/user.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { LoginForm } from './login-form.tsx';
import { Providers } from './providers.tsx';

/**
 * Shown on top of the page of a user whose token was refused (after 8 hours, a logout elsewhere, a changed password). The page keeps its
 * state, and requests wait until the same user has logged in again. Leaving is the only other way to close it.
 */
export function SessionDialog({ user: { username, full_name } }: { user: User }) {
  const t = useStrings();
  // The user comes back from the tab of a login with an identity provider.
  useEffect(() => {
    const resume = (): void => void session.resume();
    addEventListener('focus', resume);
    return () => removeEventListener('focus', resume);
  }, []);
  return (
    <RadixDialog.Root open>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-[70] bg-black/60" />
        <RadixDialog.Content
          className="fixed top-1/2 left-1/2 z-[71] w-[calc(100%-2rem)] max-w-sm -translate-x-1/2 -translate-y-1/2 rounded-lg border bg-raised p-6 shadow-xl"
          onEscapeKeyDown={(event) => event.preventDefault()}
          onPointerDownOutside={(event) => event.preventDefault()}
          onInteractOutside={(event) => event.preventDefault()}
        >
          <RadixDialog.Title className="text-lg font-semibold">{t.account.expiredTitle}</RadixDialog.Title>
          <RadixDialog.Description className="mt-1 mb-4 text-sm text-ink-soft">
            {t.account.expiredLead(full_name || username)}
          </RadixDialog.Description>
          <LoginForm username={username} />
          <Providers next={undefined} />
          <Button look="quiet" className="mt-2 w-full" onClick={() => void session.end({ everywhere: false })}>
            {t.account.otherUser}
          </Button>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
