import { useQuery } from '@tanstack/react-query';
import { useStrings } from '../strings/use-strings.tsx';
import { Page } from '../ui/page.tsx';
import { Fetched, Loading } from '../ui/states.tsx';
import { AppearanceCard } from './appearance-card.tsx';
import { AvatarCard } from './avatar-card.tsx';
import { DetailsForm } from './details-form.tsx';
import { NotificationsCard } from './notifications-card.tsx';
import { PasswordForm } from './password-form.tsx';
import { profileQuery } from './queries.ts';
import { SessionsCard } from './sessions-card.tsx';

/** The user's own account, and the appearance of the pages. */
export function ProfilePage() {
  const t = useStrings();
  const profile = useQuery(profileQuery);
  return (
    <Page title={t.profile.title} lead={t.profile.lead}>
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex flex-col gap-5">
          <Fetched query={profile} skeleton={<Loading rows={2} className="h-56" />}>
            {(data) => (
              <>
                <AvatarCard profile={data} />
                <DetailsForm profile={data} />
              </>
            )}
          </Fetched>
        </div>
        <div className="flex flex-col gap-5">
          <AppearanceCard />
          <NotificationsCard />
          <PasswordForm />
          <SessionsCard />
        </div>
      </div>
    </Page>
  );
}
