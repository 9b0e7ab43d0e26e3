import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useAddress } from '../routing/use-address.ts';
import type { Strings } from '../strings/en/index.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { DeleteButton } from '../ui/delete-button.tsx';
import { ListPage } from '../ui/lists/list-page.tsx';
import type { Column } from '../ui/lists/table.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { type Deletion, deletionsKey, deletionsQuery } from './queries.ts';

/** What was deleted in the last weeks, and can be restored. */
export function DeletionsPage() {
  const t = useStrings();
  const format = useFormat();
  const address = useAddress('/administration/deletions');
  return (
    <ListPage
      title={t.common.links.deletions}
      lead={t.administration.deletionsLead}
      {...address}
      query={useQuery(deletionsQuery(address.search))}
      empty={{ title: t.administration.noDeletionsTitle, help: t.administration.noDeletionsHelp }}
      columns={columnsOf(t, format)}
    />
  );
}

/** A registration code has no title unless it has a note. */
const nameOf = (t: Strings, { title, kind }: Deletion): string => title || t.administration.deletedKinds[kind];

const columnsOf = (t: Strings, format: ReturnType<typeof useFormat>): Column<Deletion>[] => [
  {
    title: t.administration.deletedThing,
    cell: (row) => (
      <>
        <span className="block font-medium wrap-anywhere">{nameOf(t, row)}</span>
        <span className="block text-xs text-ink-soft">{t.administration.deletedKinds[row.kind]}</span>
      </>
    ),
  },
  {
    title: t.administration.deletedWhen,
    isShort: true,
    cell: ({ deleted_at }) => (
      <time dateTime={deleted_at} title={format.ago(deleted_at)}>
        {format.time(deleted_at)}
      </time>
    ),
  },
  { title: t.administration.who, isMinor: true, cell: ({ deleted_by }) => deleted_by ?? '–' },
  { title: t.administration.deletedRows, isMinor: true, isNumber: true, cell: ({ row_count }) => row_count },
  {
    title: t.administration.keptUntil,
    isMinor: true,
    isShort: true,
    cell: ({ expires_at }) => format.date(expires_at),
  },
  { title: t.common.actions, isActions: true, cell: (row) => <Actions row={row} /> },
];

function Actions({ row }: { row: Deletion }) {
  const t = useStrings();
  const toasts = useToasts();
  const client = useQueryClient();
  const params = { path: { id: row.id } };
  const name = nameOf(t, row);
  const restore = useMutation({
    mutationFn: () => ok(api.POST('/api/admin/deletions/{id}/restore', { params })),
    onSuccess: async () => {
      toasts.done(t.administration.restoredNamed(name));
      await client.invalidateQueries();
    },
    onError: (error) => toasts.failed(error),
  });
  return (
    <span className="flex items-center justify-end gap-1">
      <Button
        size="small"
        aria-label={`${t.administration.restore}: ${name}`}
        isBusy={restore.isPending}
        onClick={() => restore.mutate()}
      >
        <Undo2 size={16} aria-hidden="true" /> {t.administration.restore}
      </Button>
      <DeleteButton
        label={t.administration.discard(name)}
        title={t.administration.discardTitle(name)}
        onConfirm={async () => {
          await ok(api.DELETE('/api/admin/deletions/{id}', { params }));
          toasts.done(t.administration.discarded(name));
          await client.invalidateQueries({ queryKey: deletionsKey });
        }}
      >
        {t.administration.discardHelp}
      </DeleteButton>
    </span>
  );
}
