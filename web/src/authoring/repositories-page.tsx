import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Plug, Plus, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { ok } from '../api/problem.ts';
import { codedText } from '../strings/coded-text.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { behindDoor, DoorCrumbs, ViewerNote } from '../teaching-model/behind-door.tsx';
import { useDoor } from '../teaching-model/door.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Badge, Card } from '../ui/card.tsx';
import { DeleteButton } from '../ui/delete-button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { EditDialog } from '../ui/edit-dialog.tsx';
import { Checkbox, TextArea, TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { SentForm } from '../ui/forms/sent-form.tsx';
import { Page } from '../ui/page.tsx';
import { Fetched } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { PushSecret } from './push-secret.tsx';
import { type LessonRepository, repositoriesQuery } from './tree-query.ts';

/** The Git repositories that courses read their lessons from. */
function Repositories() {
  const t = useStrings();
  const words = t.authoring.repositories;
  const repositories = useQuery(repositoriesQuery(useDoor()));
  const { mayChange } = useDoor();
  const [edited, setEdited] = useState<LessonRepository | 'new'>();
  const close = (): void => setEdited(undefined);
  const add = (
    <Button look="primary" aria-haspopup="dialog" onClick={() => setEdited('new')}>
      <Plus size={16} aria-hidden="true" /> {words.add}
    </Button>
  );
  return (
    <Page title={t.common.links.repositories} lead={words.lead} crumbs={<DoorCrumbs />} actions={mayChange && add}>
      <ViewerNote />
      <Fetched query={repositories}>
        {(items) => (
          <ul className="flex flex-col gap-3">
            {items.map((repository) => (
              <li key={repository.id ?? 'default'}>
                <OneRepository repository={repository} onEdit={() => setEdited(repository)} />
              </li>
            ))}
          </ul>
        )}
      </Fetched>
      <EditDialog edited={edited} add={words.add} edit={words.editTitle} onClose={close}>
        {(repository) => <RepositoryForm repository={repository} onDone={close} />}
      </EditDialog>
    </Page>
  );
}

export const RepositoriesPage = behindDoor(Repositories);

function OneRepository({ repository, onEdit }: { repository: LessonRepository; onEdit: () => void }) {
  const t = useStrings();
  const words = t.authoring.repositories;
  const { id, is_default, url, branch, has_key, courses } = repository;
  const { mayChange, course } = useDoor();
  const name = is_default ? words.default : repository.name;
  return (
    <Card className="flex flex-wrap items-start gap-x-4 gap-y-3">
      <div className="min-w-48 flex-1">
        <h2 className="flex flex-wrap items-center gap-2 font-medium break-words">
          {name} {has_key && <Badge tone="info">{words.hasKey}</Badge>}
        </h2>
        <p className="text-sm text-ink-soft">
          <code className="wrap-anywhere">{url ?? words.shipped}</code>
          {branch !== null && ` (${branch})`}
        </p>
        <LastUpdate repository={repository} />
        {repository.error_code === 'host_key_replaced' && !course && <AcceptKey repository={repository} name={name} />}
        <p className="text-sm text-ink-soft">
          {courses.length === 0 ? words.unused : words.usedBy(courses.map((course) => course.name).join(', '))}
        </p>
      </div>
      {url !== null && mayChange && (
        <div className="flex flex-wrap items-center gap-1">
          <PushSecret repository={repository} name={name} />
          {id !== null && <RepositoryButtons id={id} name={name} onEdit={onEdit} />}
        </div>
      )}
    </Card>
  );
}

function LastUpdate({ repository }: { repository: LessonRepository }) {
  const t = useStrings();
  const words = t.authoring.repositories;
  const format = useFormat();
  const { commit, updated_at, error, error_code, error_params, failed_at, pushed_at } = repository;
  const reason = error === null ? '' : codedText(t, { code: error_code, params: error_params ?? {} }, error);
  return (
    <div className="text-sm">
      <p>
        {updated_at === null ? words.neverUpdated : words.updated(format.time(updated_at), commit?.slice(0, 10) ?? '')}
      </p>
      {pushed_at !== null && <p>{words.pushed(format.time(pushed_at))}</p>}
      {error !== null && (
        <p className="text-bad">{failed_at === null ? reason : words.failed(format.time(failed_at), reason)}</p>
      )}
    </div>
  );
}

/** Both keys, and a button that accepts the new one. */
function AcceptKey({ repository, name }: { repository: LessonRepository; name: string }) {
  const words = useStrings().authoring.repositories;
  const { acceptKey } = useRepositoryActions();
  const [isAsking, setAsking] = useState(false);
  const { sent = '', known = '' } = repository.error_params ?? {};
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setAsking(true)}>
        {words.acceptKey}
      </Button>
      <Confirm
        title={words.acceptKeyTitle(name)}
        action={words.acceptKey}
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={() => acceptKey(repository.id, name, sent)}
      >
        {words.acceptKeyHelp}
        <dl className="mt-2">
          <dt>{words.newKey}</dt>
          <dd>
            <code className="wrap-anywhere">{sent}</code>
          </dd>
          <dt>{words.oldKey}</dt>
          <dd>
            <code className="wrap-anywhere">{known}</code>
          </dd>
        </dl>
      </Confirm>
    </>
  );
}

function RepositoryButtons({ id, name, onEdit }: { id: number; name: string; onEdit: () => void }) {
  const t = useStrings();
  const words = t.authoring.repositories;
  const { test, refresh, remove } = useRepositoryActions();
  return (
    <>
      <IconButton label={words.test(name)} disabled={test.isPending} onClick={() => test.mutate({ id, name })}>
        <Plug size={18} aria-hidden="true" />
      </IconButton>
      <IconButton label={words.refresh(name)} disabled={refresh.isPending} onClick={() => refresh.mutate({ id, name })}>
        <RefreshCw size={18} aria-hidden="true" />
      </IconButton>
      <IconButton label={`${t.common.edit} ${name}`} aria-haspopup="dialog" onClick={onEdit}>
        <Pencil size={18} aria-hidden="true" />
      </IconButton>
      <DeleteButton
        label={`${t.common.delete} ${name}`}
        title={words.deleteTitle(name)}
        onConfirm={() => remove({ id, name })}
      >
        {words.deleteHelp}
      </DeleteButton>
    </>
  );
}

type Named = { id: number; name: string };

function useRepositoryActions() {
  const door = useDoor();
  const { api } = door;
  const t = useStrings();
  const words = t.authoring.repositories;
  const toasts = useToasts();
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: repositoriesQuery(door).queryKey });
  const onError = (error: Error): void => toasts.failed(error);

  const test = useMutation({
    mutationFn: ({ id }: Named) =>
      ok(api.POST('/api/admin/lessons/repositories/{id}/test', { params: { path: { id } } })),
    onSuccess: ({ reason, reason_code: code, reason_params }, { name }) =>
      reason === null
        ? toasts.done(words.tested(name))
        : toasts.warn(words.testFailed(name, codedText(t, { code, params: reason_params ?? {} }, reason))),
    onError,
  });
  const refresh = useMutation({
    mutationFn: ({ id }: Named) =>
      ok(api.POST('/api/admin/lessons/repositories/{id}/refresh', { params: { path: { id } } })),
    onSuccess: (_done, { name }) => toasts.done(words.refreshed(name)),
    ...{ onError, onSettled },
  });
  const remove = async ({ id, name }: Named): Promise<void> => {
    await ok(api.DELETE('/api/admin/lessons/repositories/{id}', { params: { path: { id } } }));
    toasts.done(words.deleted(name));
    await onSettled();
  };
  const acceptKey = async (repository_id: number | null, name: string, fingerprint: string): Promise<void> => {
    try {
      await ok(api.POST('/api/admin/lessons/repositories/host-key', { body: { repository_id, fingerprint } }));
    } finally {
      // After a refusal the page has the key that the server has now.
      await onSettled();
    }
    toasts.done(words.keyAccepted(name));
  };
  return { test, refresh, remove, acceptKey };
}

/** Adds or changes a lesson repository. Its key is never shown. */
function RepositoryForm({ repository, onDone }: { repository: LessonRepository | undefined; onDone: () => void }) {
  const t = useStrings();
  const words = t.authoring.repositories;
  const toasts = useToasts();
  const queries = useQueryClient();
  const id = repository?.id;
  const door = useDoor();
  const { api } = door;
  const given = {
    name: repository?.name ?? '',
    url: repository?.url ?? '',
    branch: repository?.branch ?? '',
    username: repository?.username ?? '',
    key: '',
    removesKey: false,
  };
  const sent = useSentForm(given, async ({ name, url, branch, username, key, removesKey }) => {
    const fields = {
      name: name.trim(),
      url: url.trim(),
      branch: branch.trim() || null,
      username: username.trim() || null,
    };
    const newKey = key.trim() === '' ? (removesKey ? { key: null } : {}) : { key };
    const body = { ...fields, ...newKey };
    await ok(
      id === undefined || id === null
        ? api.POST('/api/admin/lessons/repositories', { body })
        : api.PUT('/api/admin/lessons/repositories/{id}', { params: { path: { id } }, body }),
    );
    toasts.done(t.common.saved);
    await queries.invalidateQueries({ queryKey: repositoriesQuery(door).queryKey });
    onDone();
  });
  const { form, field } = sent;
  const text = { autoComplete: 'off', spellCheck: false, className: 'font-mono' } as const;
  return (
    <SentForm sent={sent} action={repository ? t.common.save : words.add}>
      <TextField label={words.name} required maxLength={200} {...field('name')} />
      <TextField {...text} label={words.address} help={words.addressHelp} required maxLength={2048} {...field('url')} />
      <TextField {...text} label={words.branch} help={words.branchHelp} maxLength={255} {...field('branch')} />
      <TextField {...text} label={words.username} help={words.usernameHelp} maxLength={200} {...field('username')} />
      <TextArea
        {...text}
        label={words.key}
        help={repository?.has_key ? words.keptKeyHelp : words.keyHelp}
        rows={5}
        maxLength={20_000}
        {...field('key')}
      />
      {repository?.has_key && <Checkbox label={words.removesKey} {...form.register('removesKey')} />}
    </SentForm>
  );
}
