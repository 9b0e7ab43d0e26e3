import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { useStrings } from '../strings/use-strings.tsx';
import { Door } from './door.tsx';
import { LoginForm } from './login-form.tsx';
import { ownPath } from './own-path.ts';
import { registrationRulesQuery } from './queries.ts';

const route = getRouteApi('/login');

export function LoginPage() {
  const t = useStrings();
  const { next } = route.useSearch();
  const router = useRouter();
  const rules = useQuery(registrationRulesQuery);
  // Where the rules could not be loaded, the registration page shows the error.
  const isClosed = rules.isPending || rules.data?.mode === 'closed';
  return (
    <Door title={t.account.loginTitle}>
      <LoginForm onDone={() => router.history.push(ownPath(next))} />
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
