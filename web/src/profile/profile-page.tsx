import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { isRefusal, ok } from '../api/problem.ts';
import { session } from '../api/session.ts';
import { useUser } from '../api/use-session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { Page } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Fetched, Loading } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { AppearanceCard } from './appearance-card.tsx';
import { AvatarCard } from './avatar-card.tsx';
import { CertificatesCard } from './certificates-card.tsx';
import { ConsentCard } from './consent-card.tsx';
import { DeletionCard } from './deletion-card.tsx';
import { DetailsForm } from './details-form.tsx';
import { IdentitiesCard } from './identities-card.tsx';
import { NotificationsCard } from './notifications-card.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { profileQuery } from './queries.ts';
import { SecondFactorCard } from './second-factor-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { TitledCard } from './titled-card.tsx';
import { TokensCard } from './tokens-card.tsx';

/** The user's own account, and the appearance of the pages. */
export function ProfilePage() {
  const t = useStrings();
  const profile = useQuery(profileQuery);
  return (
    <Page title={t.profile.title} lead={t.profile.lead}>
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex flex-col gap-5">
          <Fetched query={profile} skeleton={<Loading rows={2} className="h-56" />}>
            {(data) => (
              <>
                <AvatarCard profile={data} />
                <DetailsForm profile={data} />
              </>
            )}
          </Fetched>
          <CertificatesCard />
        </div>
        <div className="flex flex-col gap-5">
          <AppearanceCard />
          <NotificationsCard />
          {profile.data?.has_password && <PasswordForm />}
          <PasskeysCard />
          <SecondFactorCard />
          <IdentitiesCard />
          <SessionsCard />
          <TokensCard />
          <ConsentCard />
          <ActivityCard />
          <DeletionCard />
        </div>
      </div>
    </Page>
  );
}

const empty = { old_password: '', new_password: '', again: '' };

/** Changes the password. This browser continues with a fresh token, and others have to log in. */
function PasswordForm() {
  const t = useStrings();
  const words = t.profile.password;
  const toasts = useToasts();
  const { username } = useUser();
  const { form, field, error, clear, onSubmit } = useSentForm(empty, async ({ again, ...body }) => {
    if (body.new_password !== again) {
      form.setError('again', { message: words.different });
      return;
    }
    session.renew(await ok(api.PUT('/api/auth/password', { body })));
    clear();
    toasts.done(words.changed);
  });
  const isWrong = isRefusal(error, 'wrong_password');
  const password = (name: keyof typeof empty) => ({ type: 'password', required: true, ...field(name) });
  return (
    <TitledCard title={words.title}>
      <form className="flex flex-col gap-4" onSubmit={onSubmit}>
        {!isWrong && error !== undefined && <ProblemNote error={error} />}
        {/* Tells password managers the username. */}
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        <TextField
          label={words.old}
          autoComplete="current-password"
          {...password('old_password')}
          {...(isWrong ? { problem: words.wrong } : {})}
        />
        <TextField
          label={words.next}
          help={words.nextHelp}
          autoComplete="new-password"
          minLength={8}
          {...password('new_password')}
        />
        <TextField label={words.again} autoComplete="new-password" {...password('again')} />
        <div>
          <Button type="submit" isBusy={form.formState.isSubmitting}>
            {words.change}
          </Button>
        </div>
      </form>
    </TitledCard>
  );
}

/** Saves what the service has logged of the user's work. */
function ActivityCard() {
  const words = useStrings().profile.activity;
  return (
    <TitledCard title={words.title}>
      <p className="text-sm text-ink-soft">{words.lead}</p>
      <div>
        <DownloadButton label={words.download} path="/api/dashboard/activity/export" />
      </div>
      <p className="text-sm text-ink-soft">{words.allLead}</p>
      <div>
        <DownloadButton label={words.all} path="/api/profile/data" />
      </div>
    </TitledCard>
  );
}
