import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Strings } from '../strings/en/index.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Badge } from '../ui/card.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { Select } from '../ui/field.tsx';
import { FilterChip, Filters, SearchField } from '../ui/filters.tsx';
import { Page } from '../ui/page.tsx';
import { PagedList } from '../ui/paged-list.tsx';
import { Fetched } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { PassedBadge, Person, StatusBadge } from './attempt-badges.tsx';
import { attemptsQuery, type ListedAttempt, pageSize, subjectsQuery } from './queries.ts';
import { SubjectSelect } from './subject-select.tsx';

const route = getRouteApi('/user/instructor/teaching/attempts');
const statuses = ['in_progress', 'grading', 'finished', 'abandoned', 'expired'] as const;

export function AttemptsPage() {
  const t = useStrings();
  const format = useFormat();
  const { page = 1, ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const attempts = useQuery(attemptsQuery(filter, page));
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <Page
      title={t.common.links.attempts}
      lead={t.teaching.attemptsLead}
      actions={<DownloadButton label={t.teaching.csvSave} path="/api/instructor/attempts/export" query={filter} />}
    >
      <AttemptFilters />
      <Fetched query={attempts}>
        {({ items, total }) => (
          <>
            {filter.user_id !== undefined && (
              <FilterChip
                onRemove={() => void navigate({ search: (old) => ({ ...old, page: undefined, user_id: undefined }) })}
              >
                {t.common.onlyUser(items[0]?.username ?? `#${filter.user_id}`)}
              </FilterChip>
            )}
            <PagedList
              page={page}
              pageSize={pageSize}
              total={total}
              isEmpty={items.length === 0}
              none={
                isFiltered
                  ? { title: t.teaching.nothingFits }
                  : { title: t.teaching.noAttemptsTitle, help: t.teaching.noAttemptsHelp }
              }
              onPage={(next) => void navigate({ search: (old) => ({ ...old, page: next }) })}
              onClear={isFiltered ? () => void navigate({ search: {} }) : undefined}
            >
              <Table
                caption={t.common.links.attempts}
                columns={columnsOf(t, format)}
                rows={items}
                keyOf={({ id }) => id}
              />
            </PagedList>
          </>
        )}
      </Fetched>
    </Page>
  );
}

function AttemptFilters() {
  const t = useStrings();
  const { exam_id, laboratory_id, status, passed, search } = route.useSearch();
  const navigate = route.useNavigate();
  const subjects = useQuery(subjectsQuery);
  const change = (next: Partial<ReturnType<typeof route.useSearch>>, replace = false): void =>
    void navigate({ search: (old) => ({ ...old, page: undefined, ...next }), replace });
  const chosen =
    exam_id !== undefined
      ? ({ kind: 'exam', id: exam_id } as const)
      : laboratory_id !== undefined
        ? ({ kind: 'laboratory', id: laboratory_id } as const)
        : undefined;
  return (
    <Filters>
      <SearchField
        label={t.teaching.searchStudent}
        value={search}
        onChange={(next) => change({ search: next }, true)}
      />
      <div className="col-span-2 sm:col-span-1">
        <SubjectSelect
          hasAll
          subjects={subjects.data ?? []}
          chosen={chosen}
          onChange={(next) =>
            change({
              exam_id: next?.kind === 'exam' ? next.id : undefined,
              laboratory_id: next?.kind === 'laboratory' ? next.id : undefined,
            })
          }
        />
      </div>
      <Select
        label={t.teaching.status}
        value={status ?? ''}
        onChange={({ target }) => change({ status: statuses.find((one) => one === target.value) })}
        options={[
          { value: '', label: t.common.all },
          ...statuses.map((value) => ({ value, label: t.teaching.statuses[value] })),
        ]}
      />
      <Select
        label={t.teaching.result}
        value={passed === undefined ? '' : `${passed}`}
        onChange={({ target }) => change({ passed: target.value === '' ? undefined : target.value === 'true' })}
        options={[
          { value: '', label: t.common.all },
          { value: 'true', label: t.teaching.passed },
          { value: 'false', label: t.teaching.failed },
        ]}
      />
    </Filters>
  );
}

const columnsOf = (t: Strings, format: ReturnType<typeof useFormat>): Column<ListedAttempt>[] => [
  {
    title: t.teaching.student,
    cell: ({ id, title, ...who }) => (
      <Link
        to="/teaching/attempts/$attemptId"
        params={{ attemptId: `${id}` }}
        className="block text-accent hover:underline"
      >
        <Person {...who} />
        <span className="sr-only">: {title}</span>
      </Link>
    ),
  },
  {
    title: t.teaching.subject,
    cell: ({ title, kind }) => (
      <span className="flex flex-wrap items-center gap-2">
        {title} <Badge>{t.teaching.kinds[kind]}</Badge>
      </span>
    ),
  },
  { title: t.teaching.status, cell: ({ status }) => <StatusBadge status={status} /> },
  {
    title: t.teaching.score,
    isNumber: true,
    cell: ({ score, max_score }) => (
      <span className="whitespace-nowrap">{score === null ? '–' : t.teaching.scoreOf(score, max_score)}</span>
    ),
  },
  { title: t.teaching.result, cell: ({ passed }) => <PassedBadge passed={passed} /> },
  {
    title: t.teaching.started,
    isMinor: true,
    cell: ({ started_at }) => <span className="whitespace-nowrap">{format.time(started_at)}</span>,
  },
];
