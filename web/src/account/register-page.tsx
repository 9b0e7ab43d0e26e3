import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { isRefusal, ok } from '../api/problem.ts';
import { session } from '../api/session.ts';
import { useAddress } from '../routing/use-address.ts';
import type { Strings } from '../strings/en/index.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { type RegistrationRules, registrationRulesQuery } from '../teaching-model/registration.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Fetched } from '../ui/states.tsx';
import { Door } from './door.tsx';

/** Shows who may register, and the form. */
export function RegisterPage() {
  const t = useStrings();
  const { next } = useAddress('/register').search;
  const rules = useQuery(registrationRulesQuery);
  return (
    <Door title={t.account.registerTitle} next={next}>
      <Fetched query={rules}>
        {(known) => (known.mode === 'closed' ? <p>{t.account.closed}</p> : <RegisterForm rules={known} />)}
      </Fetched>
      <p className="mt-4 text-center text-sm text-ink-soft">
        {t.account.haveAccount}{' '}
        <Link to="/login" search={next ? { next } : {}} className="font-medium text-accent underline">
          {t.account.login}
        </Link>
      </p>
    </Door>
  );
}

const empty = { username: '', email: '', full_name: '', password: '', code: '' };

/** Creates the account, then logs in with it. */
function RegisterForm({ rules }: { rules: RegistrationRules }) {
  const t = useStrings();
  const { form, field, error, onSubmit } = useSentForm(empty, async ({ full_name, code, ...rest }) => {
    await ok(api.POST('/api/auth/register', { body: { ...rest, full_name: full_name || null, code: code || null } }));
    const { username, password } = rest;
    session.begin(await ok(api.POST('/api/auth/login', { body: { username, password, has_cookie: true } })));
  });
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      {error !== undefined && <ProblemNote error={inWords(t, rules, error)} />}
      {rules.mode === 'code' && (
        <TextField
          label={t.account.code}
          help={t.account.codeHelp}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          required
          maxLength={100}
          {...field('code')}
        />
      )}
      <TextField
        label={t.account.username}
        help={t.account.usernameHelp}
        autoComplete="username"
        autoCapitalize="none"
        required
        minLength={2}
        maxLength={254}
        {...field('username')}
      />
      <TextField
        label={t.account.email}
        help={rules.domains && t.account.domainHelp(rules.domains.join(', '))}
        type="email"
        autoComplete="email"
        required
        {...field('email')}
      />
      <TextField label={t.account.fullName} autoComplete="name" {...field('full_name')} />
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
        {t.account.register}
      </Button>
    </form>
  );
}

/** Names the domains that the rules allow. */
function inWords(t: Strings, { domains = [] }: RegistrationRules, error: unknown): unknown {
  return isRefusal(error, 'registration_domain') ? error.withText(t.account.domainHelp(domains.join(', '))) : error;
}
