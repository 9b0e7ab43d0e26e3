import type { Strings } from '../strings/en/index.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Badge, type Tone } from '../ui/card.tsx';

type State = keyof Strings['administration']['codeStates'];
type Code = { expires_at: string | null; max_uses: number | null; uses: number };
const tones: Record<State, Tone> = { valid: 'good', expired: 'neutral', usedUp: 'neutral' };

const stateOf = ({ expires_at, max_uses, uses }: Code): State => {
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) return 'expired';
  return max_uses !== null && uses >= max_uses ? 'usedUp' : 'valid';
};

/** Whether a registration code or a join code is valid now. */
export function CodeState({ code }: { code: Code }) {
  const t = useStrings();
  return <Badge tone={tones[stateOf(code)]}>{t.administration.codeStates[stateOf(code)]}</Badge>;
}

/** A code in groups of four. */
export const spacedCode = (code: string): string => code.replace(/(.{4})(?=.)/g, '$1-');
