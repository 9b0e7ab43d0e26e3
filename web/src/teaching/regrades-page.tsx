import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Answer, api } from '../api/client.ts';
import { type ListSearch, listQuery } from '../api/list-query.ts';
import { useAddress } from '../routing/use-address.ts';
import type { Strings } from '../strings/en/index.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Badge } from '../ui/card.tsx';
import { Crumb, Crumbs } from '../ui/crumbs.tsx';
import { ListPage } from '../ui/lists/list-page.tsx';
import type { Column } from '../ui/lists/table.tsx';
import { AssessmentFilter } from './assessment-select.tsx';
import { statusTones } from './regrade-page.tsx';

type Listed = Answer<'/api/instructor/regrades'>[number];
type Search = ListSearch & Partial<Record<'exam_id' | 'laboratory_id' | 'session_id', number | undefined>>;

const regradesQuery = (search: Search) => ({
  ...listQuery(['teaching', 'regrades'], search, (options) => api.GET('/api/instructor/regrades', options)),
  refetchInterval: ({ state }: { state: { data?: { items: readonly Listed[] } | undefined } }) =>
    state.data?.items.some(({ status }) => status === 'running') ? 5000 : (false as const),
});

/** Earlier and running regrades, each of which leads to its comparison. */
export function RegradesPage() {
  const t = useStrings();
  const format = useFormat();
  const { search, onSearch } = useAddress('/teaching/regrades');
  return (
    <ListPage
      title={t.regrades.listTitle}
      lead={t.regrades.listLead}
      crumbs={
        <Crumbs>
          <Crumb to="/teaching/attempts">{t.teaching.backToAttempts}</Crumb>
        </Crumbs>
      }
      search={search}
      onSearch={onSearch}
      query={useQuery(regradesQuery(search))}
      filters={[
        {
          names: ['exam_id', 'laboratory_id'],
          control: (change) => <AssessmentFilter search={search} onChange={change} />,
        },
      ]}
      chip={{ names: ['session_id'], text: () => t.regrades.onlySession }}
      empty={{ title: t.regrades.emptyTitle, help: t.regrades.emptyHelp }}
      columns={columnsOf(t, format)}
    />
  );
}

const columnsOf = ({ regrades: words, teaching }: Strings, format: ReturnType<typeof useFormat>): Column<Listed>[] => [
  {
    title: words.reason,
    cell: ({ id, reason }) => (
      <Link
        to="/teaching/regrades/$regradeId"
        params={{ regradeId: `${id}` }}
        className="line-clamp-3 text-accent wrap-anywhere hover:underline"
      >
        {reason}
      </Link>
    ),
  },
  { title: teaching.assessment, cell: ({ title }) => title },
  {
    title: words.state,
    cell: ({ status }) => <Badge tone={statusTones[status]}>{words.statuses[status]}</Badge>,
  },
  {
    title: words.attempts,
    isShort: true,
    isNumber: true,
    cell: ({ status, done, total }) => (status === 'running' ? `${done} / ${total}` : total),
  },
  {
    title: words.changes,
    isShort: true,
    cell: ({ gain_count, lose_count }) => words.moreAndLess(gain_count, lose_count),
  },
  {
    title: teaching.revision,
    isShort: true,
    isMinor: true,
    isNumber: true,
    cell: ({ revision }) => revision ?? '–',
  },
  {
    title: words.by,
    isMinor: true,
    cell: ({ requested_by, requested_at }) => words.who(requested_by, format.time(requested_at)),
  },
];
