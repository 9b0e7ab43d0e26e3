import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { session } from '../api/session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { TitledCard } from './titled-card.tsx';

/** Ends the user's sessions on all devices. */
export function SessionsCard() {
  const words = useStrings().profile.sessions;
  const [isAsking, setAsking] = useState(false);
  return (
    <TitledCard title={words.title}>
      <p className="text-sm text-ink-soft">{words.lead}</p>
      <div>
        <Button look="danger" onClick={() => setAsking(true)}>
          <LogOut size={16} aria-hidden="true" /> {words.logout}
        </Button>
      </div>
      <Confirm
        title={words.confirmTitle}
        action={words.logout}
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={() => session.end({ everywhere: true })}
      >
        <p>{words.confirmHelp}</p>
      </Confirm>
    </TitledCard>
  );
}
