import { useEffect, useRef, useState } from 'react';
import { api } from '../api/client.ts';
import { isRefusal, ok, Problem } from '../api/problem.ts';
import { session } from '../api/session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { PasswordField } from '../ui/forms/password-field.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { hasPasskeys } from '../ui/site.ts';
import { useToasts } from '../ui/toasts.tsx';
import { readDocumentForm } from './document-form.ts';

const passkeyLogin = () => import('./passkey-login.ts');

/** Asks for username and password until the service accepts them. */
export function LoginForm({ username: fixed }: { username?: string }) {
  const t = useStrings();
  const toasts = useToasts();
  const [begun] = useState(readDocumentForm);
  const [username, setUsername] = useState(fixed ?? begun.username);
  const [password, setPassword] = useState(begun.password);
  /** Undefined until the service asks for it. */
  const [code, setCode] = useState<string>();
  const [hasApp, setHasApp] = useState(true);
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState<'password' | 'passkey'>();
  const logIn = async (): Promise<void> => {
    setBusy('password');
    setError(undefined);
    try {
      const body = { username, password, has_cookie: true, ...(code ? { code } : {}) };
      session.begin(await ok(api.POST('/api/auth/login', { body })));
    } catch (problem) {
      if (isRefusal(problem, 'second_factor_required', 'wrong_second_factor')) setCode('');
      else {
        setCode(undefined);
        setPassword('');
      }
      if (isRefusal(problem, 'second_factor_required')) setHasApp(problem.reason !== 'passkey');
      else setError(problem);
    } finally {
      setBusy(undefined);
    }
  };
  const logInByPasskey = async (): Promise<void> => {
    setBusy('passkey');
    setError(undefined);
    try {
      if (!(await (await passkeyLogin()).logInByPasskey())) toasts.warn(t.account.passkeyFailed);
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(undefined);
    }
  };
  // A login again is of one user, so the browser offers nobody else's passkeys there.
  const offersPasskeys = hasPasskeys && !fixed;
  useEffect(() => {
    if (!offersPasskeys || busy) return;
    const offer = new AbortController();
    passkeyLogin().then(
      (part) => part.offerPasskeys(offer.signal).catch(setError),
      () => {},
    );
    return () => offer.abort();
  }, [offersPasskeys, busy]);
  const isSent = useRef(!begun.isSent);
  useEffect(() => {
    if (isSent.current) return;
    isSent.current = true;
    void logIn();
  });
  const known = error instanceof Problem ? error : undefined;
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void logIn();
      }}
    >
      {known?.code === 'wrong_credentials' ? (
        <p role="alert" className="rounded-md border border-bad bg-bad-soft px-4 py-3 text-sm">
          {t.account.wrong}
        </p>
      ) : (
        error !== undefined && <ProblemNote error={error} />
      )}
      <TextField
        label={t.account.usernameOrEmail}
        autoComplete={offersPasskeys ? 'username webauthn' : 'username'}
        autoCapitalize="none"
        required
        autoFocus={begun.focused === 'username'}
        readOnly={fixed !== undefined}
        value={username}
        onChange={(event) => setUsername(event.target.value)}
      />
      <PasswordField
        label={t.account.password}
        autoComplete="current-password"
        required
        autoFocus={begun.focused === 'password'}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      {code !== undefined && (
        <TextField
          label={hasApp ? t.account.secondFactor : t.account.recoveryCode}
          help={hasApp ? t.account.secondFactorHelp : undefined}
          autoComplete="one-time-code"
          autoCapitalize="none"
          required
          autoFocus
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      )}
      <Button type="submit" look="primary" isBusy={busy === 'password'}>
        {t.account.login}
      </Button>
      {hasPasskeys && (
        <Button isBusy={busy === 'passkey'} onClick={() => void logInByPasskey()}>
          {t.account.withPasskey}
        </Button>
      )}
    </form>
  );
}
