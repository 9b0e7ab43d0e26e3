import { useQuery } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { HandQueue } from '../help/hands.tsx';
import { useAddress } from '../routing/use-address.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Badge, Card } from '../ui/card.tsx';
import { optionsOf } from '../ui/forms/field.tsx';
import { ListPage } from '../ui/lists/list-page.tsx';
import { Loading } from '../ui/states.tsx';
import { Person } from './attempt-badges.tsx';
import { type Watchable, watchableQuery } from './queries.ts';

const kinds = ['exam', 'laboratory', 'sandbox'] as const;

/** The running containers of students. */
export function LivePage() {
  const t = useStrings();
  const { search, onSearch } = useAddress('/teaching/live');
  return (
    <ListPage
      title={t.common.links.live}
      lead={t.teaching.liveLead}
      note={<HandQueue />}
      search={search}
      onSearch={onSearch}
      query={useQuery(watchableQuery(search))}
      filters={[
        {
          choice: 'kind',
          label: t.teaching.kind,
          options: optionsOf(kinds, t.teaching.kinds),
        },
        { names: [], control: () => <p className="pb-2 text-sm text-ink-soft">{t.teaching.refreshed}</p> },
      ]}
      empty={{ title: t.teaching.noLiveTitle, help: t.teaching.noLiveHelp }}
      skeleton={<Loading rows={3} className="h-24" />}
    >
      {({ items }) => (
        <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {items.map((container) => (
            <li key={container.id}>
              <Live container={container} />
            </li>
          ))}
        </ul>
      )}
    </ListPage>
  );
}

function Live({ container }: { container: Watchable }) {
  const t = useStrings();
  const format = useFormat();
  const { id, kind, title, username, full_name, started_at, expires_at, name, has_terminal } = container;
  return (
    <Card className="flex h-full flex-col gap-3">
      <div className="flex items-start justify-between gap-2">
        <div className="min-w-0 break-words">
          <Person username={username} full_name={full_name} />
        </div>
        <span className="flex flex-wrap justify-end gap-1">
          <Badge tone={kind === 'exam' ? 'warn' : 'neutral'}>{t.teaching.kinds[kind]}</Badge>
          <Badge tone={has_terminal ? 'good' : 'neutral'}>
            {has_terminal ? t.teaching.terminalOpen : t.teaching.terminalClosed}
          </Badge>
        </span>
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
      <ButtonLink
        to="/teaching/live/$containerId"
        params={{ containerId: `${id}` }}
        aria-label={t.teaching.watchOf(full_name || username, title ?? name)}
        look="plain"
        size="small"
      >
        <Eye size={16} aria-hidden="true" /> {t.teaching.watch}
      </ButtonLink>
    </Card>
  );
}
