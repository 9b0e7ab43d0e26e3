import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useAddress } from '../routing/use-address.ts';
import type { Strings } from '../strings/en/index.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { PersonLink } from '../teaching-model/person-link.tsx';
import { Badge, type Tone } from '../ui/card.tsx';
import { DeleteButton } from '../ui/delete-button.tsx';
import { optionsOf } from '../ui/forms/field.tsx';
import type { Bulk } from '../ui/lists/bulk.ts';
import { ListPage } from '../ui/lists/list-page.tsx';
import type { Column } from '../ui/lists/table.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { type Container, containersQuery } from './queries.ts';

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
  const { search, onSearch } = useAddress('/administration/containers');
  const bulk = useContainerBulk();
  return (
    <ListPage
      title={t.common.links.containers}
      lead={t.administration.containersLead}
      search={search}
      onSearch={onSearch}
      query={useQuery(containersQuery(search))}
      filters={[
        {
          choice: 'kind',
          label: t.administration.kind,
          options: optionsOf(kinds, t.administration.kinds),
        },
        {
          choice: 'status',
          label: t.administration.status,
          options: optionsOf(statuses, t.administration.statuses),
        },
      ]}
      chip={{ names: ['user_id'], text: (first) => t.teaching.onlyUser(first?.username ?? `#${search.user_id}`) }}
      usual={{ sort: 'created_at', order: 'desc' }}
      empty={{ title: t.administration.noContainersTitle, help: t.administration.noContainersHelp }}
      columns={containerColumns(t, format)}
      bulk={bulk}
    />
  );
}

export const containerColumns = (t: Strings, format: ReturnType<typeof useFormat>): Column<Container>[] => [
  {
    title: t.administration.container,
    sort: 'name',
    cell: ({ name, image }) => (
      <>
        <span className="block min-w-40 font-medium wrap-anywhere">{name}</span>
        <span className="block min-w-40 text-xs wrap-anywhere text-ink-soft">{image}</span>
      </>
    ),
  },
  {
    title: t.administration.owner,
    sort: 'username',
    cell: ({ user_id, username }) => <PersonLink id={user_id}>{username}</PersonLink>,
  },
  { title: t.administration.kind, cell: ({ kind }) => <Badge>{t.administration.kinds[kind]}</Badge> },
  {
    title: t.administration.status,
    sort: 'status',
    cell: ({ status }) => <Badge tone={tones[status]}>{t.administration.statuses[status]}</Badge>,
  },
  {
    title: t.administration.created,
    sort: 'created_at',
    firstOrder: 'desc',
    isMinor: true,
    isShort: true,
    cell: ({ created_at }) => format.time(created_at),
  },
  {
    title: t.administration.ends,
    sort: 'expires_at',
    isMinor: true,
    isShort: true,
    cell: ({ expires_at }) => (expires_at ? format.time(expires_at) : t.common.none),
  },
  {
    title: t.common.actions,
    isActions: true,
    cell: (container) =>
      container.kind === 'sandbox' ? (
        <DeleteContainer container={container} />
      ) : (
        <span className="text-xs text-ink-soft">{t.administration.ofAttempt}</span>
      ),
  },
];

/** The actions on several containers. */
function useContainerBulk(): Bulk<Container> {
  const t = useStrings();
  const queries = useQueryClient();
  return {
    nameOf: ({ name, username }) => `${name} (${username})`,
    actions: [
      {
        label: t.common.delete,
        help: t.administration.deleteContainerHelp,
        isDangerous: true,
        isFor: ({ kind }) => kind === 'sandbox',
        run: ({ id }) => ok(api.DELETE('/api/admin/containers/{id}', { params: { path: { id } } })),
      },
    ],
    onDone: () => queries.invalidateQueries({ queryKey: ['administration', 'containers'] }),
  };
}

function DeleteContainer({ container: { id, name } }: { container: Container }) {
  const t = useStrings();
  const toasts = useToasts();
  const queries = useQueryClient();
  return (
    <DeleteButton
      label={`${t.common.delete} ${name}`}
      title={t.administration.deleteTitle(name)}
      onConfirm={async () => {
        await ok(api.DELETE('/api/admin/containers/{id}', { params: { path: { id } } }));
        toasts.done(t.administration.deleted(name));
        await queries.invalidateQueries({ queryKey: ['administration', 'containers'] });
      }}
    >
      {t.administration.deleteContainerHelp}
    </DeleteButton>
  );
}
