import { Dices } from 'lucide-react';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';

/** Without characters that look alike on a blackboard. */
const characters = 'abcdefghjkmnpqrstuvwxyz23456789';
const length = 6;

/** Easy to read aloud. Guessing is slowed down, so it need not be long. */
const newCode = (): string =>
  [...crypto.getRandomValues(new Uint8Array(length))].map((byte) => characters[byte % characters.length]).join('');

/** Creates a random access code. */
export function GenerateCode({ onCode }: { onCode: (code: string) => void }) {
  const t = useStrings();
  return (
    <div>
      <Button size="small" onClick={() => onCode(newCode())}>
        <Dices size={16} aria-hidden="true" /> {t.examSessions.planning.generateCode}
      </Button>
    </div>
  );
}
