import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useUser } from '../session/use-session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Card } from '../ui/card.tsx';
import { Page } from '../ui/page.tsx';
import { Fetched } from '../ui/states.tsx';

export function DashboardPage() {
  const t = useStrings();
  const user = useUser();
  const stats = useQuery({ queryKey: ['dashboard', 'stats'], queryFn: () => ok(api.GET('/api/dashboard/stats')) });
  return (
    <Page title={t.common.links.dashboard} lead={user.full_name || user.username}>
      <Fetched query={stats}>{(data) => <Card>{data.completed_themes}</Card>}</Fetched>
    </Page>
  );
}
