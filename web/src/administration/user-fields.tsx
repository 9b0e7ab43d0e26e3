import { useStrings } from '../strings/use-strings.tsx';
import { bindFields, concernsNoField } from '../ui/bind-fields.ts';
import { optionsOf, Select, TextField } from '../ui/field.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import type { User } from './queries.ts';

export type UserValues = { username: string; email: string; full_name: string; role: User['role']; password: string };

const roles = ['student', 'instructor', 'admin'] as const;

/** The fields of a new or existing user. A username cannot be changed. */
export function UserFields({
  values,
  onChange,
  error,
  isNew,
}: {
  values: UserValues;
  onChange: (values: UserValues) => void;
  error: unknown;
  isNew: boolean;
}) {
  const t = useStrings();
  const of = bindFields(t, values, (name, value) => onChange({ ...values, [name]: value }), error);
  return (
    <>
      {concernsNoField(error) && <ProblemNote error={error} />}
      {isNew && (
        <TextField
          label={t.account.username}
          help={t.account.usernameHelp}
          autoComplete="off"
          autoCapitalize="none"
          required
          minLength={3}
          maxLength={50}
          {...of('username')}
        />
      )}
      <TextField label={t.account.email} type="email" autoComplete="off" required {...of('email')} />
      <TextField label={t.account.fullName} autoComplete="off" maxLength={200} {...of('full_name')} />
      <Select label={t.administration.role} {...of('role')} options={optionsOf(roles, t.common.roles)} />
      <TextField
        label={isNew ? t.administration.password : t.administration.newPassword}
        help={isNew ? t.account.passwordHelp : t.administration.newPasswordHelp}
        type="password"
        autoComplete="new-password"
        required={isNew}
        minLength={8}
        {...of('password')}
      />
    </>
  );
}
