import { useMutation, useQuery } from '@tanstack/react-query';
import { KeyRound, Link2, Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useAddress } from '../routing/use-address.ts';
import type { Strings } from '../strings/en/index.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { ListPage } from '../ui/lists/list-page.tsx';
import type { Column } from '../ui/lists/table.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { ServiceActions, ServiceName, ServiceTest } from './connected-services.tsx';
import { LtiPlatformForm } from './lti-platform-form.tsx';
import { type LtiPlatform, ltiPlatformsKey, ltiPlatformsQuery } from './queries.ts';

type Edited = LtiPlatform | 'new' | undefined;

/** The learning management systems whose courses open this service. */
export function LtiPlatformsPage() {
  const t = useStrings();
  const words = t.administration.ltiPlatforms;
  const address = useAddress('/administration/lti');
  const [edited, setEdited] = useState<Edited>();
  return (
    <>
      <ListPage
        title={t.common.links.ltiPlatforms}
        lead={words.lead}
        actions={
          <>
            <RegistrationLink />
            <NewKey />
            <Button aria-haspopup="dialog" onClick={() => setEdited('new')}>
              <Plus size={16} aria-hidden="true" /> {words.add}
            </Button>
          </>
        }
        {...address}
        query={useQuery(ltiPlatformsQuery(address.search))}
        empty={{ title: words.noneTitle, help: words.noneHelp }}
        columns={columnsOf(t, setEdited)}
        kind="lti_platform"
      />
      <Dialog
        title={edited && edited !== 'new' ? words.edit(edited.name) : words.add}
        isOpen={edited !== undefined}
        onOpenChange={() => setEdited(undefined)}
        width="max-w-2xl"
      >
        {edited && (
          <LtiPlatformForm platform={edited === 'new' ? undefined : edited} onDone={() => setEdited(undefined)} />
        )}
      </Dialog>
    </>
  );
}

/** A link with which a platform registers itself. */
function RegistrationLink() {
  const words = useStrings().administration.ltiPlatforms;
  const toasts = useToasts();
  const make = useMutation({
    mutationFn: () => ok(api.POST('/api/admin/lti-platforms/registration-link')),
    onError: (error) => toasts.failed(error),
  });
  const url = make.data?.url ?? '';
  return (
    <>
      <Button look="primary" isBusy={make.isPending} aria-haspopup="dialog" onClick={() => make.mutate()}>
        <Link2 size={16} aria-hidden="true" /> {words.link}
      </Button>
      <Dialog title={words.link} isOpen={make.isSuccess} onOpenChange={() => make.reset()}>
        <p className="text-sm">{words.linkHelp}</p>
        <code className="my-3 block text-sm wrap-anywhere">{url}</code>
        <CopyButton text={url} words={words} />
      </Dialog>
    </>
  );
}

function NewKey() {
  const words = useStrings().administration.ltiPlatforms;
  const toasts = useToasts();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setAsking(true)}>
        <KeyRound size={16} aria-hidden="true" /> {words.newKey}
      </Button>
      <Confirm
        title={words.newKeyTitle}
        action={words.newKey}
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={async () => {
          await ok(api.POST('/api/admin/lti-platforms/key'));
          toasts.done(words.newKeyDone);
        }}
      >
        {words.newKeyHelp}
      </Confirm>
    </>
  );
}

const columnsOf = (t: Strings, onEdit: (edited: Edited) => void): Column<LtiPlatform>[] => {
  const words = t.administration.ltiPlatforms;
  const path = '/api/admin/lti-platforms/{id}';
  const of = ({ id }: LtiPlatform) => ({ params: { path: { id } } });
  return [
    { title: words.name, cell: (row) => <ServiceName row={row} inactive={words.inactive} /> },
    { title: words.courses, isNumber: true, isMinor: true, cell: (row) => row.course_count },
    { title: words.users, isNumber: true, isMinor: true, cell: (row) => row.user_count },
    {
      title: words.test,
      cell: (row) => (
        <ServiceTest
          {...{ row, words }}
          // Platforms that open a window need no frame.
          notes={['no_origin']}
          onTest={() => ok(api.POST(`${path}/test`, of(row)))}
        />
      ),
    },
    {
      title: t.common.actions,
      isActions: true,
      cell: (row) => (
        <ServiceActions
          {...{ row, words, kind: 'lti_platform', queryKey: ltiPlatformsKey }}
          onEdit={() => onEdit(row)}
          onDelete={() => ok(api.DELETE(path, of(row)))}
        />
      ),
    },
  ];
};
