import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { Fetched } from '../ui/states.tsx';
import { secondFactorQuery } from './queries.ts';
import { SecondFactorSetUp } from './second-factor-set-up.tsx';
import { TitledCard } from './titled-card.tsx';

/** Sets up a second factor of the login, or removes it. */
export function SecondFactorCard() {
  const words = useStrings().profile.secondFactor;
  const queries = useQueryClient();
  const factor = useQuery(secondFactorQuery);
  const [shown, setShown] = useState<'set-up' | 'remove'>();
  const close = (): void => setShown(undefined);
  return (
    <TitledCard title={words.title}>
      <Fetched query={factor}>
        {({ is_active, is_required, recovery_codes_left }) => (
          <>
            <p className="text-sm text-ink-soft">
              {is_active ? words.isActive(recovery_codes_left) : words.lead}
              {is_required && ` ${words.isRequired}`}
            </p>
            <div>
              {is_active ? (
                <Button look="danger" onClick={() => setShown('remove')}>
                  {words.remove}
                </Button>
              ) : (
                <Button onClick={() => setShown('set-up')}>{words.setUp}</Button>
              )}
            </div>
          </>
        )}
      </Fetched>
      <Dialog title={words.title} description={words.lead} isOpen={shown === 'set-up'} onOpenChange={close}>
        <SecondFactorSetUp onDone={close} />
      </Dialog>
      <Confirm
        title={words.removeTitle}
        action={words.remove}
        isOpen={shown === 'remove'}
        onOpenChange={close}
        onConfirm={async () => {
          await ok(api.DELETE('/api/auth/totp'));
          await queries.invalidateQueries({ queryKey: secondFactorQuery.queryKey });
        }}
      >
        <p>{words.removeHelp}</p>
      </Confirm>
    </TitledCard>
  );
}
