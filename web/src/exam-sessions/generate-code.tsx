import { Dices } from 'lucide-react';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import type { SessionFormState } from './session-form.tsx';

/** Without characters that look alike on a blackboard. */
const characters = 'abcdefghjkmnpqrstuvwxyz23456789';
const length = 6;

/** Easy to read aloud. Guessing is slowed down, so it need not be long. */
const newCode = (): string =>
  [...crypto.getRandomValues(new Uint8Array(length))].map((byte) => characters[byte % characters.length]).join('');

/** Enters a random access code. */
export function GenerateCode({ form }: { form: SessionFormState }) {
  const t = useStrings();
  const generate = (): void => form.setValue('access_code', newCode(), { shouldDirty: true });
  return (
    <div>
      <Button size="small" onClick={generate}>
        <Dices size={16} aria-hidden="true" /> {t.examSessions.planning.generateCode}
      </Button>
    </div>
  );
}
