import { Dialog as RadixDialog } from 'radix-ui';
import { session } from '../api/session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { hasPasskeys } from '../ui/site.ts';
import { AddPasskey } from './passkeys-card.tsx';
import { SecondFactorSetUp } from './second-factor-set-up.tsx';

/** The service refuses everything else until the second factor is set up. Logging out is the only other way to close it. */
export function RequiredFactorDialog() {
  const t = useStrings();
  const stay = (event: Event): void => event.preventDefault();
  return (
    <RadixDialog.Root open>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-[60] bg-ground" />
        <RadixDialog.Content
          className="fixed top-1/2 left-1/2 z-[61] max-h-[95dvh] w-[calc(100%-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 overflow-y-auto rounded-lg border bg-raised p-6 shadow-xl"
          onEscapeKeyDown={stay}
          onPointerDownOutside={stay}
          onInteractOutside={stay}
        >
          <RadixDialog.Title className="text-lg font-semibold">{t.profile.secondFactor.title}</RadixDialog.Title>
          <RadixDialog.Description className="mt-1 mb-4 text-sm text-ink-soft">
            {t.profile.secondFactor.isRequired}
          </RadixDialog.Description>
          {/* Everything that was refused is requested again. */}
          <SecondFactorSetUp onDone={() => location.reload()} />
          {hasPasskeys && <AddPasskey onDone={() => location.reload()} />}
          <Button look="quiet" className="mt-2 w-full" onClick={() => void session.end({ everywhere: false })}>
            {t.account.logout}
          </Button>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
