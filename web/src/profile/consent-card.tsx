import { ConsentChoice, useConsent, useDecision } from '../attempts/recording-consent.tsx';
import { useStrings } from '../strings/use-strings.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { TitledCard } from './titled-card.tsx';

/** Whether the user agrees to recordings, where the installation asks. */
export function ConsentCard() {
  const words = useStrings().attempts.recordingConsent;
  const toasts = useToasts();
  const consent = useConsent();
  const decide = useDecision();
  if (!consent) return null;
  return (
    <TitledCard title={words.title}>
      <ConsentChoice
        consent={consent}
        isGiven={consent.is_given === true}
        onChange={(isGiven) => void decide(isGiven).catch(toasts.failed)}
      />
    </TitledCard>
  );
}
