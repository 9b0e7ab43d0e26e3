import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useUser } from '../api/use-session.ts';
import { useAddress } from '../routing/use-address.ts';
import type { Strings } from '../strings/en/index.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { AttemptLink } from '../teaching-model/person-link.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Badge } from '../ui/card.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { optionsOf } from '../ui/forms/field.tsx';
import type { Bulk, BulkAction } from '../ui/lists/bulk.ts';
import { List, ListPage } from '../ui/lists/list-page.tsx';
import type { Column } from '../ui/lists/table.tsx';
import { AssessmentFilter } from './assessment-select.tsx';
import { PassedBadge, Person, StatusBadge } from './attempt-badges.tsx';
import { ReviewQueue } from './decisions.tsx';
import { type AttemptSearch, attemptsQuery, type ListedAttempt } from './queries.ts';
import { ReopenQueue } from './reopening.tsx';

const statuses = ['queued', 'in_progress', 'grading', 'finished', 'abandoned', 'expired'] as const;

export function AttemptsPage() {
  const t = useStrings();
  const format = useFormat();
  const { search, onSearch } = useAddress('/teaching/attempts');
  const { page: _page, sort: _sort, order: _order, ...filter } = search;
  const bulk = useAttemptBulk();
  return (
    <ListPage
      title={t.common.links.attempts}
      lead={t.teaching.attemptsLead}
      note={
        <>
          <ReviewQueue />
          <ReopenQueue />
        </>
      }
      actions={
        <>
          <ButtonLink to="/teaching/regrades" search={{ exam_id: search.exam_id, laboratory_id: search.laboratory_id }}>
            {t.regrades.listTitle}
          </ButtonLink>
          <DownloadButton label={t.teaching.csvSave} path="/api/instructor/attempts/export" query={filter} />
        </>
      }
      search={search}
      onSearch={onSearch}
      query={useQuery(attemptsQuery(search))}
      filters={[
        { text: 'search', label: t.teaching.searchStudent },
        {
          names: ['exam_id', 'laboratory_id'],
          control: (change) => <AssessmentFilter search={search} onChange={change} />,
        },
        {
          choice: 'status',
          label: t.teaching.status,
          options: optionsOf(statuses, t.teaching.statuses),
        },
        {
          choice: 'passed',
          label: t.teaching.result,
          options: [
            { value: 'true', label: t.teaching.passed },
            { value: 'false', label: t.teaching.failed },
          ],
        },
      ]}
      chip={{ names: ['user_id'], text: (first) => t.teaching.onlyUser(first?.username ?? `#${search.user_id}`) }}
      usual={{ sort: 'started_at', order: 'desc' }}
      empty={{
        title: t.teaching.noAttemptsTitle,
        help: t.teaching.noAttemptsHelp,
        action: <ButtonLink to="/plan-exam">{t.common.links.planExam}</ButtonLink>,
      }}
      columns={columnsOf(t, format)}
      bulk={bulk}
    />
  );
}

/** The attempts of one student: all, or those at one exam or laboratory. */
export function AttemptsOfStudent<Search extends AttemptSearch>({
  of,
  ...address
}: {
  of: Required<Pick<AttemptSearch, 'user_id'>> & Pick<AttemptSearch, 'exam_id' | 'laboratory_id'>;
  search: Search;
  onSearch: (search: Search, replace: boolean) => void;
}) {
  const t = useStrings();
  const format = useFormat();
  const title: Column<ListedAttempt> = {
    title: t.teaching.assessment,
    sort: 'title',
    cell: (attempt) => (
      <AttemptLink id={attempt.id} className="text-accent hover:underline">
        {attempt.title}
        <span className="sr-only">, {format.time(attempt.started_at)}</span>
      </AttemptLink>
    ),
  };
  return (
    <List
      caption={t.common.links.attempts}
      {...address}
      query={useQuery(attemptsQuery({ ...address.search, ...of }))}
      usual={{ sort: 'started_at', order: 'desc' }}
      empty={{ title: t.teaching.noAttemptsTitle }}
      columns={[title, ...columnsOf(t, format).slice(2)]}
    />
  );
}

const columnsOf = (t: Strings, format: ReturnType<typeof useFormat>): Column<ListedAttempt>[] => [
  {
    title: t.teaching.student,
    sort: 'username',
    cell: ({ id, title, ...who }) => (
      <AttemptLink id={id} className="block text-accent hover:underline">
        <Person {...who} />
        <span className="sr-only">: {title}</span>
      </AttemptLink>
    ),
  },
  {
    title: t.teaching.assessment,
    sort: 'title',
    cell: ({ title, kind }) => (
      <span className="flex flex-wrap items-center gap-2">
        {title} <Badge>{t.teaching.kinds[kind]}</Badge>
      </span>
    ),
  },
  { title: t.teaching.status, sort: 'status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    title: t.teaching.score,
    sort: 'score',
    firstOrder: 'desc',
    isNumber: true,
    isShort: true,
    cell: ({ score, max_score }) => (score === null ? '–' : t.teaching.scoreOf(score, max_score)),
  },
  { title: t.teaching.result, cell: (attempt) => <PassedBadge attempt={attempt} /> },
  {
    title: t.teaching.started,
    sort: 'started_at',
    firstOrder: 'desc',
    isMinor: true,
    isShort: true,
    cell: ({ started_at }) => format.time(started_at),
  },
];

/** The actions on several attempts: more time, and for administrators to grade again what could not be graded. */
function useAttemptBulk(): Bulk<ListedAttempt> {
  const t = useStrings();
  const format = useFormat();
  const queries = useQueryClient();
  const isAdmin = useUser().role === 'admin';
  const paramsOf = ({ id }: ListedAttempt) => ({ path: { id } });
  const extend: BulkAction<ListedAttempt> = {
    label: t.teaching.extend,
    help: t.teaching.extendHelp,
    isFor: ({ status, expires_at }) => status === 'in_progress' && expires_at !== null,
    input: { label: t.teaching.addedMinutes, first: '15', min: 1, max: 1440 },
    run: (attempt, value) =>
      ok(
        api.POST('/api/instructor/attempts/{id}/extend', {
          params: paramsOf(attempt),
          body: { minutes: Number(value) },
        }),
      ),
  };
  const regrade: BulkAction<ListedAttempt> = {
    label: t.teaching.regrade,
    help: t.teaching.regradeHelp,
    isFor: ({ status, grading_error }) => status === 'in_progress' && grading_error !== null,
    run: (attempt) => ok(api.POST('/api/admin/attempts/{id}/grade', { params: paramsOf(attempt) })),
  };
  return {
    nameOf: ({ username, full_name, title, started_at }) =>
      `${full_name || username}: ${title}, ${format.time(started_at)}`,
    actions: isAdmin ? [extend, regrade] : [extend],
    onDone: () => queries.invalidateQueries({ queryKey: ['teaching'] }),
  };
}
