import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useAddress } from '../routing/use-address.ts';
import type { Strings } from '../strings/en/index.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ListPage } from '../ui/lists/list-page.tsx';
import type { Column } from '../ui/lists/table.tsx';
import { ServiceActions, ServiceName, ServiceTest } from './connected-services.tsx';
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

const columnsOf = (t: Strings, onEdit: (edited: Edited) => void): Column<IdentityProvider>[] => {
  const words = t.administration.identityProviders;
  const path = '/api/admin/identity-providers/{id}';
  const of = ({ id }: IdentityProvider) => ({ params: { path: { id } } });
  return [
    { title: words.name, cell: (row) => <ServiceName row={row} inactive={words.inactive} /> },
    { title: words.users, isNumber: true, isMinor: true, cell: (row) => row.user_count },
    {
      title: words.test,
      cell: (row) => <ServiceTest row={row} words={words} onTest={() => ok(api.POST(`${path}/test`, of(row)))} />,
    },
    {
      title: t.common.actions,
      isActions: true,
      cell: (row) => (
        <ServiceActions
          {...{ row, words, kind: 'identity_provider', queryKey: identityProvidersKey }}
          onEdit={() => onEdit(row)}
          onDelete={() => ok(api.DELETE(path, of(row)))}
        />
      ),
    },
  ];
};
