import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { navigate } from '../routing/router.ts';
import { useAddress, useTabAddress } from '../routing/use-address.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { AttemptsOfStudent } from '../teaching/attempts-page.tsx';
import { Badge, Card } from '../ui/card.tsx';
import { Crumb, Crumbs } from '../ui/crumbs.tsx';
import { Email } from '../ui/email.tsx';
import { List } from '../ui/lists/list-page.tsx';
import { Page } from '../ui/page.tsx';
import { Fetched } from '../ui/states.tsx';
import { TabPanel, Tabs } from '../ui/tabs.tsx';
import { activityColumns } from './activity-page.tsx';
import { containerColumns } from './containers-page.tsx';
import { activityQuery, containersQuery, type User, userQuery } from './queries.ts';
import { UserForm, UserSettings } from './user-actions.tsx';

const path = '/administration/users/$userId';

/** All of one person: account, attempts, sandboxes and activity, and what administrators do with the account. */
export function UserPage() {
  const t = useStrings();
  const query = useQuery(userQuery(Number(useParams({ from: path }).userId)));
  const { data } = query;
  return (
    <Page
      title={data ? data.full_name || data.username : t.administration.user}
      crumbs={
        <Crumbs>
          <Crumb to="/administration/users">{t.common.links.users}</Crumb>
        </Crumbs>
      }
      lead={data && <About user={data} />}
    >
      <Fetched query={query}>{(user) => <Parts key={user.id} user={user} />}</Fetched>
    </Page>
  );
}

function About({ user: { username, email, role, is_active, created_at, last_login_at } }: { user: User }) {
  const t = useStrings();
  const format = useFormat();
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 wrap-anywhere">
        {username} · <Email of={email} />
        <Badge tone={role === 'student' ? 'neutral' : 'info'}>{t.common.roles[role]}</Badge>
        <Badge tone={is_active ? 'good' : 'warn'}>
          {is_active ? t.administration.active : t.administration.inactive}
        </Badge>
      </p>
      <p className="text-sm">
        {t.administration.created}: {format.date(created_at)} · {t.administration.lastLogin}:{' '}
        {last_login_at ? format.ago(last_login_at) : t.administration.never}
      </p>
    </>
  );
}

function Parts({ user }: { user: User }) {
  const t = useStrings();
  const { tab } = useAddress(path).search;
  const titles = {
    account: t.common.account,
    attempts: t.common.links.attempts,
    sandboxes: t.common.links.containers,
    activity: t.common.links.activity,
    settings: t.common.links.settings,
  };
  return (
    <Tabs label={user.full_name || user.username} titles={titles} shown={tab}>
      <TabPanel name="account" isKept>
        <Card className="max-w-xl p-5">
          <UserForm user={user} />
        </Card>
      </TabPanel>
      <TabPanel name="attempts">
        <Attempts user={user} />
      </TabPanel>
      <TabPanel name="sandboxes">
        <Sandboxes user={user} />
      </TabPanel>
      <TabPanel name="activity">
        <Activity user={user} />
      </TabPanel>
      <TabPanel name="settings">
        <UserSettings user={user} />
      </TabPanel>
    </Tabs>
  );
}

const Attempts = ({ user: { id } }: { user: User }) => (
  <AttemptsOfStudent of={{ user_id: id }} {...useTabAddress(path, 'attempts')} />
);

function Sandboxes({ user: { id } }: { user: User }) {
  const t = useStrings();
  const format = useFormat();
  const address = useTabAddress(path, 'sandboxes');
  return (
    <List
      caption={t.common.links.containers}
      {...address}
      query={useQuery(containersQuery({ ...address.search, user_id: id }))}
      usual={{ sort: 'created_at', order: 'desc' }}
      empty={{ title: t.administration.noContainersTitle }}
      columns={containerColumns(t, format).filter(({ title }) => title !== t.administration.owner)}
    />
  );
}

function Activity({ user: { id } }: { user: User }) {
  const t = useStrings();
  const format = useFormat();
  const address = useTabAddress(path, 'activity');
  const showActor = (actor_id: number): void => navigate({ to: '/administration/activity', search: { actor_id } });
  return (
    <List
      caption={t.common.links.activity}
      {...address}
      query={useQuery(activityQuery({ ...address.search, user_id: id }))}
      usual={{ sort: 'created_at', order: 'desc' }}
      empty={{ title: t.administration.noActivityTitle }}
      columns={activityColumns(t, format, showActor)}
    />
  );
}
