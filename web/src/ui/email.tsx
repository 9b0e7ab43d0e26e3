import type { Strings } from '../strings/en/index.ts';
import { useStrings } from '../strings/use-strings.tsx';

/** Whether an account has none: its address is a placeholder then, at `noAddressDomain` of the service's src/values/email-address.ts. */
export const hasNoEmail = (email: string): boolean => email.toLowerCase().endsWith('@no-address.invalid');

export const emailText = (t: Strings, email: string): string => (hasNoEmail(email) ? t.common.noEmail : email);

/** The address of an account, or that it has none. */
export const Email = ({ of }: { of: string }) => emailText(useStrings(), of);
