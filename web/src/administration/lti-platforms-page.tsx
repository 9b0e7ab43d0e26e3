import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Copy, KeyRound, Link2, Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useAddress } from '../routing/use-address.ts';
import type { Strings } from '../strings/en/index.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Badge } from '../ui/card.tsx';
import { copyText } from '../ui/copy-text.ts';
import { DeleteButton } from '../ui/delete-button.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { ListPage } from '../ui/lists/list-page.tsx';
import type { Column } from '../ui/lists/table.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { useUndo } from '../ui/use-undo.ts';
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
        <Button
          look="primary"
          onClick={() => void copyText(url).then((isCopied) => isCopied && toasts.done(words.copied))}
        >
          <Copy size={16} aria-hidden="true" /> {words.copy}
        </Button>
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

const columnsOf = (t: Strings, onEdit: (edited: Edited) => void): Column<LtiPlatform>[] => [
  {
    title: t.administration.ltiPlatforms.name,
    cell: ({ name, issuer, is_active }) => (
      <>
        <span className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
          {name} {!is_active && <Badge>{t.administration.ltiPlatforms.inactive}</Badge>}
        </span>
        <span className="block text-xs wrap-anywhere text-ink-soft">{issuer}</span>
      </>
    ),
  },
  { title: t.administration.ltiPlatforms.courses, isNumber: true, isMinor: true, cell: (row) => row.course_count },
  { title: t.administration.ltiPlatforms.users, isNumber: true, isMinor: true, cell: (row) => row.user_count },
  { title: t.administration.ltiPlatforms.test, cell: (row) => <Test row={row} /> },
  { title: t.common.actions, isNumber: true, cell: (row) => <Actions row={row} onEdit={onEdit} /> },
];

/** Asks the platform for its keys and for an access token. */
function Test({ row: { id, name } }: { row: LtiPlatform }) {
  const words = useStrings().administration.ltiPlatforms;
  const toasts = useToasts();
  const test = useMutation({
    mutationFn: () => ok(api.POST('/api/admin/lti-platforms/{id}/test', { params: { path: { id } } })),
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

function Actions({
  row: { id, name, user_count, ...row },
  onEdit,
}: {
  row: LtiPlatform;
  onEdit: (edited: Edited) => void;
}) {
  const t = useStrings();
  const words = t.administration.ltiPlatforms;
  const undo = useUndo();
  const queries = useQueryClient();
  return (
    <span className="flex items-center justify-end gap-1">
      <IconButton
        label={words.edit(name)}
        aria-haspopup="dialog"
        onClick={() => onEdit({ id, name, user_count, ...row })}
      >
        <Pencil size={18} aria-hidden="true" />
      </IconButton>
      <DeleteButton
        label={words.delete(name)}
        title={words.deleteTitle(name)}
        onConfirm={async () => {
          await ok(api.DELETE('/api/admin/lti-platforms/{id}', { params: { path: { id } } }));
          undo(words.deleted(name), 'lti_platform', id);
          await queries.invalidateQueries({ queryKey: ltiPlatformsKey });
        }}
      >
        {words.deleteHelp(user_count)} {t.common.undoHelp}
      </DeleteButton>
    </span>
  );
}
