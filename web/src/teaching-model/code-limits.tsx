import type { ComponentProps } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { TextField } from '../ui/forms/field.tsx';

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
