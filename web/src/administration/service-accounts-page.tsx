import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useAddress } from '../routing/use-address.ts';
import type { Strings } from '../strings/en/index.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Ago } from '../ui/ago.tsx';
import { Button } from '../ui/button.tsx';
import { DeleteButton } from '../ui/delete-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Select, TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { SentForm } from '../ui/forms/sent-form.tsx';
import { ListPage } from '../ui/lists/list-page.tsx';
import type { Column } from '../ui/lists/table.tsx';
import { type TokenSource, Tokens } from '../ui/tokens.tsx';
import { type ServiceAccount, serviceAccountsKey, serviceAccountsQuery } from './queries.ts';
import { SettingsCrumbs } from './settings-crumbs.tsx';

/** Accounts of the school's programs. */
export function ServiceAccountsPage() {
  const t = useStrings();
  const words = t.administration.serviceAccounts;
  const address = useAddress('/administration/service-accounts');
  const queries = useQueryClient();
  const [opened, setOpened] = useState<ServiceAccount | 'new'>();
  const account = opened === 'new' ? undefined : opened;
  const close = (): void => {
    setOpened(undefined);
    // The numbers of tokens have changed.
    void queries.invalidateQueries({ queryKey: serviceAccountsKey });
  };
  return (
    <>
      <ListPage
        title={words.title}
        crumbs={<SettingsCrumbs />}
        lead={words.lead}
        actions={
          <Button look="primary" aria-haspopup="dialog" onClick={() => setOpened('new')}>
            <Plus size={16} aria-hidden="true" /> {words.add}
          </Button>
        }
        {...address}
        query={useQuery(serviceAccountsQuery(address.search))}
        empty={{ title: words.noneTitle, help: words.noneHelp }}
        columns={columnsOf(t, setOpened)}
      />
      <Dialog
        title={account ? words.tokensOf(account.name) : words.add}
        isOpen={opened !== undefined}
        onOpenChange={close}
      >
        {account ? (
          <div className="flex flex-col gap-4">
            <Tokens source={sourceOf(account)} noneText={words.noTokens} />
          </div>
        ) : (
          <AccountForm onCreated={setOpened} />
        )}
      </Dialog>
    </>
  );
}

const sourceOf = ({ id, role }: ServiceAccount): TokenSource => {
  const path = '/api/admin/service-accounts/{id}/tokens';
  const params = { path: { id } };
  return {
    key: [...serviceAccountsKey, id],
    role,
    list: (signal) => ok(api.GET(path, { params, signal })),
    create: (body) => ok(api.POST(path, { params, body })),
    remove: (token_id) => ok(api.DELETE(`${path}/{token_id}`, { params: { path: { id, token_id } } })),
  };
};

const columnsOf = (t: Strings, onOpen: (account: ServiceAccount) => void): Column<ServiceAccount>[] => {
  const words = t.administration.serviceAccounts;
  return [
    { title: words.name, cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span> },
    { title: t.administration.role, isMinor: true, cell: ({ role }) => t.common.roles[role] },
    { title: words.tokens, isNumber: true, isMinor: true, cell: ({ tokens }) => tokens },
    {
      title: words.lastUsed,
      cell: ({ last_used_at }) => (last_used_at === null ? words.never : <Ago time={last_used_at} />),
    },
    { title: t.common.actions, isActions: true, cell: (row) => <Actions row={row} onOpen={onOpen} /> },
  ];
};

function Actions({ row, onOpen }: { row: ServiceAccount; onOpen: (account: ServiceAccount) => void }) {
  const words = useStrings().administration.serviceAccounts;
  const queries = useQueryClient();
  return (
    <span className="flex flex-wrap items-center justify-end gap-1">
      <Button size="small" aria-haspopup="dialog" aria-label={words.tokensOf(row.name)} onClick={() => onOpen(row)}>
        {words.tokens}
      </Button>
      <DeleteButton
        label={words.delete(row.name)}
        title={words.deleteTitle}
        onConfirm={async () => {
          await ok(api.DELETE('/api/admin/service-accounts/{id}', { params: { path: { id: row.id } } }));
          await queries.invalidateQueries({ queryKey: serviceAccountsKey });
        }}
      >
        {words.deleteHelp}
      </DeleteButton>
    </span>
  );
}

function AccountForm({ onCreated }: { onCreated: (account: ServiceAccount) => void }) {
  const t = useStrings();
  const words = t.administration.serviceAccounts;
  const queries = useQueryClient();
  const sent = useSentForm({ name: '', role: 'instructor' }, async ({ name, role }) => {
    const body = { name: name.trim(), role: role === 'admin' ? ('admin' as const) : ('instructor' as const) };
    const account = await ok(api.POST('/api/admin/service-accounts', { body }));
    await queries.invalidateQueries({ queryKey: serviceAccountsKey });
    onCreated(account);
  });
  return (
    <SentForm sent={sent} action={t.common.create}>
      <TextField label={words.name} help={words.nameHelp} maxLength={100} required {...sent.field('name')} />
      <Select
        label={t.administration.role}
        help={words.roleHelp}
        options={(['instructor', 'admin'] as const).map((value) => ({ value, label: t.common.roles[value] }))}
        {...sent.field('role')}
      />
    </SentForm>
  );
}
