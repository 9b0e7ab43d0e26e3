import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { session } from '../api/session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Fetched } from '../ui/states.tsx';
import { Door } from './door.tsx';

/** An invited user sets a password. The code is behind the hash sign of the link. */
export function InvitationPage() {
  const t = useStrings();
  const code = decodeURIComponent(location.hash.slice(1).replaceAll('%', ''));
  const invited = useQuery({
    queryKey: ['invitation', code],
    queryFn: () => ok(api.POST('/api/auth/invitation', { body: { code } })),
    ...{ retry: false, staleTime: Number.POSITIVE_INFINITY },
  });
  return (
    <Door title={t.account.invitationTitle} next={undefined}>
      <Fetched query={invited}>{({ username }) => <PasswordForm code={code} username={username} />}</Fetched>
    </Door>
  );
}

/** Sets the password, then logs in with it. */
function PasswordForm({ code, username }: { code: string; username: string }) {
  const t = useStrings();
  const { form, field, error, onSubmit } = useSentForm({ password: '' }, async ({ password }) => {
    await ok(api.POST('/api/auth/invitation', { body: { code, password } }));
    session.begin(await ok(api.POST('/api/auth/login', { body: { username, password, has_cookie: true } })));
  });
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      {error !== undefined && <ProblemNote error={error} />}
      <p className="text-sm">{t.account.invitationLead}</p>
      <TextField label={t.account.username} autoComplete="username" readOnly required value={username} />
      <TextField
        label={t.account.password}
        help={t.account.passwordHelp}
        type="password"
        autoComplete="new-password"
        required
        minLength={8}
        {...field('password')}
      />
      <Button type="submit" look="primary" isBusy={form.formState.isSubmitting}>
        {t.account.setPassword}
      </Button>
    </form>
  );
}
