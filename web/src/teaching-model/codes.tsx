import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import type { Strings } from '../strings/en/index.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Badge, type Tone } from '../ui/card.tsx';
import { DeleteButton } from '../ui/delete-button.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { useUndo } from '../ui/use-undo.ts';

type Field = Omit<ComponentProps<typeof TextField>, 'label'>;

/** The fields for the limits of a registration code or a join code. */
export function CodeLimits({ maxUses, expiresAt }: { maxUses: Field; expiresAt: Field }) {
  const t = useStrings();
  return (
    <>
      <TextField
        label={t.administration.maxUses}
        help={t.administration.maxUsesHelp}
        type="number"
        min={1}
        max={2_147_483_647}
        {...maxUses}
      />
      <TextField
        label={t.administration.expires}
        help={t.administration.expiresHelp}
        type="datetime-local"
        {...expiresAt}
      />
    </>
  );
}

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

/** Withdraws a registration code or a join code, which can be undone. */
export function WithdrawCode({
  kind,
  row: { id, code },
  help,
  send,
  changes,
}: {
  kind: 'registration_code' | 'class_join_code';
  row: { id: number; code: string };
  help: string;
  send: () => Promise<unknown>;
  /** What is fetched again. */
  changes: QueryKey;
}) {
  const t = useStrings();
  const undo = useUndo();
  const queries = useQueryClient();
  return (
    <DeleteButton
      label={`${t.administration.withdraw} ${code}`}
      title={t.administration.withdrawTitle(code)}
      action={t.administration.withdraw}
      onConfirm={async () => {
        await send();
        undo(t.administration.withdrawn(code), kind, id);
        await queries.invalidateQueries({ queryKey: changes });
      }}
    >
      {help} {t.common.undoHelp}
    </DeleteButton>
  );
}
