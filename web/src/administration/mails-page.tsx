import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import type { Answer } from '../api/client.ts';
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
import { mailsKey, mailsQuery } from './queries.ts';
import { SettingsCrumbs } from './settings-crumbs.tsx';

type Mail = Answer<'/api/admin/mails'>[number];

/** Mails that the mail server has not taken, with its answers. */
export function MailsPage() {
  const t = useStrings();
  const format = useFormat();
  const address = useAddress('/administration/mails');
  return (
    <ListPage
      title={t.administration.mails}
      crumbs={<SettingsCrumbs />}
      lead={t.administration.mailsLead}
      {...address}
      query={useQuery(mailsQuery(address.search))}
      empty={{ title: t.administration.noMailsTitle, help: t.administration.noMailsHelp }}
      columns={columnsOf(t, format)}
    />
  );
}

const columnsOf = (t: Strings, format: ReturnType<typeof useFormat>): Column<Mail>[] => [
  {
    title: t.administration.mailTo,
    cell: (row) => (
      <>
        <span className="block font-medium wrap-anywhere">{row.recipient}</span>
        <span className="block text-xs text-ink-soft">{t.administration.mailKinds[row.kind]}</span>
      </>
    ),
  },
  {
    title: t.administration.mailProblem,
    cell: ({ problem }) => <span className="text-sm wrap-anywhere">{problem}</span>,
  },
  { title: t.administration.mailAttempts, isMinor: true, isNumber: true, cell: ({ attempts }) => attempts },
  { title: t.administration.mailWritten, isMinor: true, isShort: true, cell: (row) => format.time(row.created_at) },
  {
    title: t.administration.mailNext,
    isShort: true,
    cell: (row) => (row.next_attempt_at === null ? t.administration.mailFailed : format.time(row.next_attempt_at)),
  },
  { title: t.common.actions, isActions: true, cell: (row) => <Actions row={row} /> },
];

function Actions({ row }: { row: Mail }) {
  const t = useStrings();
  const toasts = useToasts();
  const client = useQueryClient();
  const params = { path: { id: row.id } };
  const renew = () => client.invalidateQueries({ queryKey: mailsKey });
  const again = useMutation({
    mutationFn: () => ok(api.POST('/api/admin/mails/{id}/send', { params })),
    onSuccess: async () => {
      toasts.done(t.administration.mailQueued(row.recipient));
      await renew();
    },
    onError: (error) => toasts.failed(error),
  });
  return (
    <span className="flex items-center justify-end gap-1">
      <Button
        size="small"
        aria-label={`${t.administration.mailAgain}: ${row.recipient}`}
        isBusy={again.isPending}
        onClick={() => again.mutate()}
      >
        <Send size={16} aria-hidden="true" /> {t.administration.mailAgain}
      </Button>
      <DeleteButton
        label={t.administration.mailDelete(row.recipient)}
        title={t.administration.mailDeleteTitle}
        onConfirm={async () => {
          await ok(api.DELETE('/api/admin/mails/{id}', { params }));
          await renew();
        }}
      >
        {t.administration.mailDeleteHelp}
      </DeleteButton>
    </span>
  );
}
