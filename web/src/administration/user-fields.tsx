import type { UseFormReturn } from 'react-hook-form';
import { useStrings } from '../strings/use-strings.tsx';
import { optionsOf, Select, TextField } from '../ui/forms/field.tsx';
import { fieldOf } from '../ui/forms/form-field.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import type { User } from './queries.ts';

export type UserValues = { username: string; email: string; full_name: string; role: User['role']; password: string };

const roles = ['student', 'instructor', 'admin'] as const;

/** The fields of a new or existing user. A username cannot be changed. */
export function UserFields({
  form,
  error,
  isNew,
  hasEmail = true,
}: {
  form: UseFormReturn<UserValues>;
  error: unknown;
  isNew: boolean;
  hasEmail?: boolean;
}) {
  const t = useStrings();
  const field = (name: keyof UserValues) => fieldOf(form, name);
  return (
    <>
      {error !== undefined && <ProblemNote error={error} />}
      {isNew && (
        <TextField
          label={t.account.username}
          help={t.account.usernameHelp}
          autoComplete="off"
          autoCapitalize="none"
          required
          minLength={2}
          maxLength={254}
          {...field('username')}
        />
      )}
      <TextField label={t.account.email} type="email" autoComplete="off" required={hasEmail} {...field('email')} />
      <TextField label={t.account.fullName} autoComplete="off" maxLength={200} {...field('full_name')} />
      <Select label={t.administration.role} {...field('role')} options={optionsOf(roles, t.common.roles)} />
      <TextField
        label={isNew ? t.administration.password : t.administration.newPassword}
        help={isNew ? t.account.passwordHelp : t.administration.newPasswordHelp}
        type="password"
        autoComplete="new-password"
        required={isNew}
        minLength={8}
        {...field('password')}
      />
    </>
  );
}
