import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Eye } from 'lucide-react';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { buttonClasses } from '../ui/button.tsx';
import { Badge, Card } from '../ui/card.tsx';
import { Select } from '../ui/field.tsx';
import { Filters } from '../ui/filters.tsx';
import { Page } from '../ui/page.tsx';
import { PagedList } from '../ui/paged-list.tsx';
import { Fetched, Loading } from '../ui/states.tsx';
import { Person } from './attempt-badges.tsx';
import { pageSize, type Watchable, watchableQuery } from './queries.ts';

const route = getRouteApi('/user/instructor/teaching/live');
const kinds = ['exam', 'laboratory', 'sandbox'] as const;

/** The running containers of students. */
export function LivePage() {
  const t = useStrings();
  const { kind, page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const containers = useQuery(watchableQuery({ kind }, page));
  return (
    <Page title={t.common.links.live} lead={t.teaching.liveLead}>
      <Filters>
        <Select
          label={t.teaching.kind}
          value={kind ?? ''}
          onChange={({ target }) => void navigate({ search: { kind: kinds.find((one) => one === target.value) } })}
          options={[
            { value: '', label: t.common.all },
            ...kinds.map((value) => ({ value, label: t.teaching.kinds[value] })),
          ]}
        />
        <p className="col-span-1 pb-2 text-sm text-ink-soft">{t.teaching.refreshed}</p>
      </Filters>
      <Fetched query={containers} skeleton={<Loading rows={3} className="h-24" />}>
        {({ items, total }) => (
          <PagedList
            page={page}
            pageSize={pageSize}
            total={total}
            isEmpty={items.length === 0}
            none={{ title: t.teaching.noLiveTitle, help: t.teaching.noLiveHelp }}
            onPage={(next) => void navigate({ search: (old) => ({ ...old, page: next }) })}
          >
            <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
              {items.map((container) => (
                <li key={container.id}>
                  <Live container={container} />
                </li>
              ))}
            </ul>
          </PagedList>
        )}
      </Fetched>
    </Page>
  );
}

function Live({ container }: { container: Watchable }) {
  const t = useStrings();
  const format = useFormat();
  const { id, kind, title, username, full_name, started_at, expires_at, name } = container;
  return (
    <Card className="flex h-full flex-col gap-3">
      <div className="flex items-start justify-between gap-2">
        <div className="min-w-0 break-words">
          <Person username={username} full_name={full_name} />
        </div>
        <Badge tone={kind === 'exam' ? 'warn' : 'neutral'}>{t.teaching.kinds[kind]}</Badge>
      </div>
      <div className="min-w-0 flex-1 text-sm">
        <p className="truncate" title={title ?? name}>
          {title ?? name}
        </p>
        <p className="text-ink-soft">
          {started_at && t.teaching.since(format.time(started_at))}
          {expires_at && kind !== 'sandbox' && `, ${t.teaching.until(format.time(expires_at))}`}
        </p>
      </div>
      <Link
        to="/teaching/live/$containerId"
        params={{ containerId: `${id}` }}
        aria-label={t.teaching.watchOf(full_name || username, title ?? name)}
        className={buttonClasses('plain', 'small')}
      >
        <Eye size={16} aria-hidden="true" /> {t.teaching.watch}
      </Link>
    </Card>
  );
}
