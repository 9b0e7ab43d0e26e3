import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { isRefusal, ok } from '../api/problem.ts';
import { session } from '../session/session.ts';
import { useUser } from '../session/use-session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { concernsNoField, fieldText } from '../ui/bind-fields.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
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
  const [fields, setFields] = useState(empty);
  const [isDifferent, setDifferent] = useState(false);
  const change = useMutation({
    mutationFn: ({ again: _again, ...body }: typeof empty) => ok(api.PUT('/api/auth/password', { body })),
    onSuccess: (answer) => {
      session.begin(answer);
      setFields(empty);
      toasts.done(words.changed);
    },
  });
  const isWrong = isRefusal(change.error, 'wrong_password');
  const of = (name: keyof typeof empty) => ({
    type: 'password',
    required: true,
    value: fields[name],
    onChange: (event: { target: { value: string } }) => {
      setFields({ ...fields, [name]: event.target.value });
      setDifferent(false);
    },
  });
  return (
    <TitledCard title={words.title}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (fields.new_password === fields.again) change.mutate(fields);
          else setDifferent(true);
        }}
      >
        {!isWrong && concernsNoField(change.error) && <ProblemNote error={change.error} />}
        {/* Tells password managers the username. */}
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        <TextField
          label={words.old}
          autoComplete="current-password"
          problem={isWrong ? words.wrong : undefined}
          {...of('old_password')}
        />
        <TextField
          label={words.next}
          help={words.nextHelp}
          autoComplete="new-password"
          minLength={8}
          problem={fieldText(t, change.error, 'new_password')}
          {...of('new_password')}
        />
        <TextField
          label={words.again}
          autoComplete="new-password"
          problem={isDifferent ? words.different : undefined}
          {...of('again')}
        />
        <div>
          <Button type="submit" isBusy={change.isPending}>
            {words.change}
          </Button>
        </div>
      </form>
    </TitledCard>
  );
}
