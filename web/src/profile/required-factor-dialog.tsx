import { Dialog as RadixDialog } from 'radix-ui';
import { useState } from 'react';
import { session } from '../api/session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { hasPasskeys } from '../ui/site.ts';
import { AddPasskey } from './passkeys-card.tsx';
import { SecondFactorSetUp } from './second-factor-set-up.tsx';

/** The service refuses everything else until the second factor is set up. Logging out is the only other way to close it. */
export function RequiredFactorDialog() {
  const t = useStrings();
  const words = t.profile.secondFactor;
  const [way, setWay] = useState<'app' | 'passkey'>('app');
  const other = way === 'app' ? 'passkey' : 'app';
  // Everything that was refused is requested again.
  const onDone = (): void => location.reload();
  const ways = (
    <div className="mt-4 flex flex-col gap-2">
      {hasPasskeys && <Button onClick={() => setWay(other)}>{words.instead[other]}</Button>}
      <Button look="quiet" onClick={() => void session.end({ everywhere: false })}>
        {t.account.logout}
      </Button>
    </div>
  );
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
          <RadixDialog.Title className="text-lg font-semibold">{words.title}</RadixDialog.Title>
          <RadixDialog.Description className="mt-1 mb-4 text-sm text-ink-soft">
            {words.isRequired} {way === 'app' ? words.lead : t.profile.passkeys.lead}
          </RadixDialog.Description>
          {way === 'app' ? (
            <SecondFactorSetUp onDone={onDone}>{ways}</SecondFactorSetUp>
          ) : (
            <AddPasskey onDone={onDone}>{ways}</AddPasskey>
          )}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
