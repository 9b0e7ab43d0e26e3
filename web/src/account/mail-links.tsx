import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { Logo } from '../ui/logo.tsx';
import { useTitle } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Appearance, Door } from './door.tsx';

/** What a link in a mail proves is behind its hash sign, which no server and no log gets. */
const tokenOfLink = (): string => location.hash.slice(1);

const toLogin = 'font-medium text-accent underline';

/** Asks for a link to set a new password. The answer is the same whether there is an account. */
export function ForgottenPage() {
  const t = useStrings();
  const [address, setAddress] = useState<string>();
  const { form, field, error, onSubmit } = useSentForm({ email: '' }, async (body) => {
    await ok(api.POST('/api/auth/password/forgot', { body }));
    setAddress(body.email);
  });
  return (
    <Door title={t.account.forgotten} next={undefined}>
      {address === undefined ? (
        <form className="flex flex-col gap-4" onSubmit={onSubmit}>
          {error !== undefined && <ProblemNote error={error} />}
          <p className="text-sm">{t.mailLinks.forgottenLead}</p>
          <TextField
            label={t.account.email}
            type="email"
            autoComplete="email"
            required
            maxLength={254}
            {...field('email')}
          />
          <Button type="submit" look="primary" isBusy={form.formState.isSubmitting}>
            {t.mailLinks.sendLink}
          </Button>
        </form>
      ) : (
        <p role="status" className="text-sm wrap-anywhere">
          {t.mailLinks.linkSent(address)}
        </p>
      )}
      <p className="mt-4 text-center text-sm">
        <Link to="/login" className={toLogin}>
          {t.mailLinks.backToLogin}
        </Link>
      </p>
    </Door>
  );
}

/** Sets a new password by a link in a mail. Also for who is logged in: the link may be of another account. */
export function ResetPage() {
  const t = useStrings();
  const [token] = useState(tokenOfLink);
  const [isDone, setDone] = useState(false);
  const { form, field, error, onSubmit } = useSentForm({ password: '' }, async ({ password }) => {
    await ok(api.POST('/api/auth/password/reset', { body: { token, password } }));
    setDone(true);
  });
  return (
    <LinkCard title={t.mailLinks.newPassword}>
      {isDone ? (
        <Finished text={t.mailLinks.passwordChanged} />
      ) : (
        <form className="flex flex-col gap-4" onSubmit={onSubmit}>
          {error !== undefined && <ProblemNote error={error} />}
          <TextField
            label={t.mailLinks.newPassword}
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
      )}
    </LinkCard>
  );
}

/** Confirms an address by a link in a mail, when asked to: programs that read mails open links as well. */
export function ConfirmAddressPage() {
  const t = useStrings();
  const [token] = useState(tokenOfLink);
  const confirm = useMutation({ mutationFn: () => ok(api.POST('/api/auth/email/confirm', { body: { token } })) });
  return (
    <LinkCard title={t.mailLinks.confirmAddress}>
      {confirm.isSuccess ? (
        <Finished text={t.mailLinks.addressConfirmed} />
      ) : (
        <div className="flex flex-col gap-4">
          {confirm.error && <ProblemNote error={confirm.error} />}
          <Button look="primary" isBusy={confirm.isPending} onClick={() => confirm.mutate()}>
            {t.mailLinks.confirmAddress}
          </Button>
        </div>
      )}
    </LinkCard>
  );
}

function Finished({ text }: { text: string }) {
  const t = useStrings();
  return (
    <div role="status" className="flex flex-col gap-4 text-sm">
      <p>{text}</p>
      <Link to="/login" className={toLogin}>
        {t.account.login}
      </Link>
    </div>
  );
}

function LinkCard({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title);
  return (
    <main id="content" className="relative flex min-h-full flex-col items-center justify-center gap-6 p-4 pt-16">
      <Appearance />
      <Logo isLarge />
      <Card className="w-full max-w-sm p-6">
        <h1 className="mb-4 text-xl font-semibold">{title}</h1>
        {children}
      </Card>
    </main>
  );
}
