import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import type { Strings } from '../strings/en/index.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { IconButton } from '../ui/button.tsx';
import { Badge, type Tone } from '../ui/card.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Select } from '../ui/field.tsx';
import { FilterChip, Filters } from '../ui/filters.tsx';
import { Page } from '../ui/page.tsx';
import { PagedList } from '../ui/paged-list.tsx';
import { Fetched } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { type Container, containersQuery, pageSize } from './queries.ts';

const route = getRouteApi('/user/admin/administration/containers');
const kinds = ['sandbox', 'exam', 'laboratory'] as const;
const statuses = ['creating', 'running', 'stopped', 'failed'] as const;
const tones: Record<Container['status'], Tone> = {
  creating: 'info',
  running: 'good',
  stopped: 'neutral',
  failed: 'bad',
};

/** Containers of all users. Those of attempts are deleted with them, and cannot be deleted here. */
export function ContainersPage() {
  const t = useStrings();
  const format = useFormat();
  const { page = 1, ...filter } = route.useSearch();
  const navigate = route.useNavigate();
  const containers = useQuery(containersQuery(filter, page));
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <Page title={t.common.links.containers} lead={t.administration.containersLead}>
      <ContainerFilters />
      <Fetched query={containers}>
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
              none={{
                title: t.administration.noContainersTitle,
                help: isFiltered ? undefined : t.administration.noContainersHelp,
              }}
              onPage={(next) => void navigate({ search: (old) => ({ ...old, page: next }) })}
              onClear={isFiltered ? () => void navigate({ search: {} }) : undefined}
            >
              <Table
                caption={t.common.links.containers}
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

function ContainerFilters() {
  const t = useStrings();
  const { kind, status } = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: Partial<ReturnType<typeof route.useSearch>>): void =>
    void navigate({ search: (old) => ({ ...old, page: undefined, ...next }) });
  return (
    <Filters>
      <Select
        label={t.administration.kind}
        value={kind ?? ''}
        onChange={({ target }) => change({ kind: kinds.find((one) => one === target.value) })}
        options={[
          { value: '', label: t.common.all },
          ...kinds.map((value) => ({ value, label: t.administration.kinds[value] })),
        ]}
      />
      <Select
        label={t.administration.status}
        value={status ?? ''}
        onChange={({ target }) => change({ status: statuses.find((one) => one === target.value) })}
        options={[
          { value: '', label: t.common.all },
          ...statuses.map((value) => ({ value, label: t.administration.statuses[value] })),
        ]}
      />
    </Filters>
  );
}

const columnsOf = (t: Strings, format: ReturnType<typeof useFormat>): Column<Container>[] => [
  {
    title: t.administration.container,
    cell: ({ name, image }) => (
      <>
        <span className="block font-medium break-all">{name}</span>
        <span className="block text-xs break-all text-ink-soft">{image}</span>
      </>
    ),
  },
  {
    title: t.administration.owner,
    cell: ({ username }) => (
      <Link to="/administration/users" search={{ q: username }} className="text-accent hover:underline">
        {username}
      </Link>
    ),
  },
  { title: t.administration.kind, cell: ({ kind }) => <Badge>{t.administration.kinds[kind]}</Badge> },
  {
    title: t.administration.status,
    cell: ({ status }) => <Badge tone={tones[status]}>{t.administration.statuses[status]}</Badge>,
  },
  {
    title: t.administration.created,
    isMinor: true,
    cell: ({ created_at }) => <span className="whitespace-nowrap">{format.time(created_at)}</span>,
  },
  {
    title: t.administration.ends,
    isMinor: true,
    cell: ({ expires_at }) => (
      <span className="whitespace-nowrap">{expires_at ? format.time(expires_at) : t.common.none}</span>
    ),
  },
  {
    title: t.common.actions,
    isNumber: true,
    cell: (container) =>
      container.kind === 'sandbox' ? (
        <DeleteContainer container={container} />
      ) : (
        <span className="text-xs text-ink-soft">{t.administration.ofAttempt}</span>
      ),
  },
];

function DeleteContainer({ container: { id, name } }: { container: Container }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <IconButton label={`${t.common.delete} ${name}`} aria-haspopup="dialog" onClick={() => setAsking(true)}>
        <Trash2 size={18} aria-hidden="true" />
      </IconButton>
      <Confirm
        title={t.administration.deleteTitle(name)}
        action={t.common.delete}
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={async () => {
          await ok(api.DELETE('/api/admin/containers/{id}', { params: { path: { id } } }));
          toasts.done(t.administration.deleted(name));
          await queries.invalidateQueries({ queryKey: ['administration', 'containers'] });
        }}
      >
        {t.administration.deleteContainerHelp}
      </Confirm>
    </>
  );
}
