import { api } from '../api/client.ts';
import { isRefusal, ok } from '../api/problem.ts';
import { session } from '../api/session.ts';
import { useUser } from '../api/use-session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { fieldOf, useSentForm } from '../ui/forms/form-field.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { TitledCard } from './titled-card.tsx';

const empty = { old_password: '', new_password: '', again: '' };

/** Changes the password. This browser continues with a fresh token, and others have to log in. */
export function PasswordForm() {
  const t = useStrings();
  const words = t.profile.password;
  const toasts = useToasts();
  const { username } = useUser();
  const { form, error, clear, onSubmit } = useSentForm(empty, async ({ again, ...body }) => {
    if (body.new_password !== again) {
      form.setError('again', { message: words.different });
      return;
    }
    session.renew(await ok(api.PUT('/api/auth/password', { body })));
    clear();
    toasts.done(words.changed);
  });
  const isWrong = isRefusal(error, 'wrong_password');
  const field = (name: keyof typeof empty) => ({ type: 'password', required: true, ...fieldOf(form, name) });
  return (
    <TitledCard title={words.title}>
      <form className="flex flex-col gap-4" onSubmit={onSubmit}>
        {!isWrong && error !== undefined && <ProblemNote error={error} />}
        {/* Tells password managers the username. */}
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        <TextField
          label={words.old}
          autoComplete="current-password"
          {...field('old_password')}
          {...(isWrong ? { problem: words.wrong } : {})}
        />
        <TextField
          label={words.next}
          help={words.nextHelp}
          autoComplete="new-password"
          minLength={8}
          {...field('new_password')}
        />
        <TextField label={words.again} autoComplete="new-password" {...field('again')} />
        <div>
          <Button type="submit" isBusy={form.formState.isSubmitting}>
            {words.change}
          </Button>
        </div>
      </form>
    </TitledCard>
  );
}
