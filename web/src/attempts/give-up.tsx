import { useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';

/** Ends an attempt without a result, after a confirmation. */
export function GiveUp({ onConfirm }: { onConfirm: () => Promise<void> }) {
  const t = useStrings();
  const [isAsking, setAsking] = useState(false);
  return (
    <p>
      <Button size="small" look="danger" onClick={() => setAsking(true)}>
        {t.attempts.giveUp}
      </Button>
      <Confirm
        title={t.attempts.giveUpTitle}
        action={t.attempts.giveUp}
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={onConfirm}
      >
        <p>{t.attempts.giveUpHelp}</p>
      </Confirm>
    </p>
  );
}
