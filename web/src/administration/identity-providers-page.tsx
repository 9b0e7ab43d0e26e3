import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useAddress } from '../routing/use-address.ts';
import type { Strings } from '../strings/en/index.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Badge } from '../ui/card.tsx';
import { DeleteButton } from '../ui/delete-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ListPage } from '../ui/lists/list-page.tsx';
import type { Column } from '../ui/lists/table.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { useUndo } from '../ui/use-undo.ts';
import { IdentityProviderForm } from './identity-provider-form.tsx';
import { type IdentityProvider, identityProvidersKey, identityProvidersQuery } from './queries.ts';

type Edited = IdentityProvider | 'new' | undefined;

/** The services of OpenID Connect with which users log in. */
export function IdentityProvidersPage() {
  const t = useStrings();
  const words = t.administration.identityProviders;
  const address = useAddress('/administration/identity-providers');
  const [edited, setEdited] = useState<Edited>();
  const close = (): void => setEdited(undefined);
  return (
    <>
      <ListPage
        title={t.common.links.identityProviders}
        lead={words.lead}
        actions={
          <Button look="primary" aria-haspopup="dialog" onClick={() => setEdited('new')}>
            <Plus size={16} aria-hidden="true" /> {words.add}
          </Button>
        }
        {...address}
        query={useQuery(identityProvidersQuery(address.search))}
        empty={{ title: words.noneTitle, help: words.noneHelp }}
        columns={columnsOf(t, setEdited)}
        kind="identity_provider"
      />
      <Dialog
        title={edited && edited !== 'new' ? words.edit(edited.name) : words.add}
        isOpen={edited !== undefined}
        onOpenChange={close}
        width="max-w-2xl"
      >
        {edited && <IdentityProviderForm provider={edited === 'new' ? undefined : edited} onDone={close} />}
      </Dialog>
    </>
  );
}

const columnsOf = (t: Strings, onEdit: (edited: Edited) => void): Column<IdentityProvider>[] => [
  {
    title: t.administration.identityProviders.name,
    cell: ({ name, issuer, is_active }) => (
      <>
        <span className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
          {name} {!is_active && <Badge>{t.administration.identityProviders.inactive}</Badge>}
        </span>
        <span className="block text-xs wrap-anywhere text-ink-soft">{issuer}</span>
      </>
    ),
  },
  { title: t.administration.identityProviders.users, isNumber: true, isMinor: true, cell: (row) => row.user_count },
  { title: t.administration.identityProviders.test, cell: (row) => <Test row={row} /> },
  { title: t.common.actions, isNumber: true, cell: (row) => <Actions row={row} onEdit={onEdit} /> },
];

/** Asks the provider whether a login can succeed. */
function Test({ row: { id, name } }: { row: IdentityProvider }) {
  const words = useStrings().administration.identityProviders;
  const toasts = useToasts();
  const test = useMutation({
    mutationFn: () => ok(api.POST('/api/admin/identity-providers/{id}/test', { params: { path: { id } } })),
    onError: (error) => toasts.failed(error),
  });
  const { problems } = test.data ?? {};
  return (
    <div className="flex flex-col items-start gap-1">
      <Button size="small" isBusy={test.isPending} aria-label={words.testOf(name)} onClick={() => test.mutate()}>
        {words.test}
      </Button>
      <div role="status" className="text-sm">
        {problems?.length === 0 && <p>{words.works}</p>}
        {problems?.map((problem) => (
          <p key={problem} className="text-bad">
            {words.problems[problem]}
          </p>
        ))}
      </div>
    </div>
  );
}

function Actions({ row, onEdit }: { row: IdentityProvider; onEdit: (edited: Edited) => void }) {
  const t = useStrings();
  const words = t.administration.identityProviders;
  const undo = useUndo();
  const queries = useQueryClient();
  const { id, name, user_count } = row;
  return (
    <span className="flex items-center justify-end gap-1">
      <IconButton label={words.edit(name)} aria-haspopup="dialog" onClick={() => onEdit(row)}>
        <Pencil size={18} aria-hidden="true" />
      </IconButton>
      <DeleteButton
        label={words.delete(name)}
        title={words.deleteTitle(name)}
        onConfirm={async () => {
          await ok(api.DELETE('/api/admin/identity-providers/{id}', { params: { path: { id } } }));
          undo(words.deleted(name), 'identity_provider', id);
          await queries.invalidateQueries({ queryKey: identityProvidersKey });
        }}
      >
        {words.deleteHelp(user_count)} {t.common.undoHelp}
      </DeleteButton>
    </span>
  );
}
