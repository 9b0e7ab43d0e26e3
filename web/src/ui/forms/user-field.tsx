import type { ComponentProps } from 'react';
import { TextField } from './field.tsx';

/** Characters of the longest address of electronic mail: RFC 5321, 4.5.3.1. */
const maxLength = 320;

/** Names an account that there is by its username or its address. */
export const UserField = (props: ComponentProps<typeof TextField>) => (
  <TextField required maxLength={maxLength} autoComplete="off" autoCapitalize="none" spellCheck={false} {...props} />
);
