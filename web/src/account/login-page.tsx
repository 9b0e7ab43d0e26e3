import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useAddress } from '../routing/use-address.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { registrationRulesQuery } from '../teaching-model/registration.ts';
import { hasMail } from '../ui/site.ts';
import { Door } from './door.tsx';
import { LoginForm } from './login-form.tsx';
import { Providers } from './providers.tsx';

export function LoginPage() {
  const t = useStrings();
  const { next, refused } = useAddress('/login').search;
  const rules = useQuery(registrationRulesQuery);
  // Where the rules could not be loaded, the registration page shows the error.
  const isClosed = rules.isPending || rules.data?.mode === 'closed';
  return (
    <Door title={t.account.loginTitle} next={next}>
      {refused && (
        <p role="alert" className="mb-4 rounded-md border border-bad bg-bad-soft px-4 py-3 text-sm">
          {t.account.refused[refused]}
        </p>
      )}
      <LoginForm />
      <Providers next={next ?? '/'} />
      {hasMail ? (
        <p className="mt-4 text-center text-sm">
          <Link to="/forgot-password" className="font-medium text-accent underline">
            {t.account.forgotten}
          </Link>
        </p>
      ) : (
        <details className="mt-4 text-center text-sm text-ink-soft">
          <summary className="min-h-6 font-medium text-accent underline">{t.account.forgotten}</summary>
          <p className="mt-2">{t.account.forgottenHelp}</p>
        </details>
      )}
      {!isClosed && (
        <p className="mt-4 text-center text-sm text-ink-soft">
          {t.account.noAccount}{' '}
          <Link to="/register" search={next ? { next } : {}} className="font-medium text-accent underline">
            {t.account.register}
          </Link>
        </p>
      )}
    </Door>
  );
}
