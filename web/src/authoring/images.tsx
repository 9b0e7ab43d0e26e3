import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { pageSize } from '../api/list-query.ts';
import { ok } from '../api/problem.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { useDoor } from '../teaching-model/door.ts';
import { type ContainerImage, imagesKey, imagesQuery } from '../teaching-model/images.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Badge, Card, ProgressBar } from '../ui/card.tsx';
import { DeleteButton } from '../ui/delete-button.tsx';
import { EditDialog } from '../ui/edit-dialog.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { PasswordField } from '../ui/forms/password-field.tsx';
import { SentForm } from '../ui/forms/sent-form.tsx';
import { Pages } from '../ui/lists/pages.tsx';
import { Fetched } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';

type Own = ContainerImage & { id: number };
const isOwn = (image: ContainerImage): image is Own => image.id !== null;

/**
 * Container images with their states, at the door of administrators or of a course.
 * @param mayAdd whether there is a registry that the caller may add images of
 */
export function Images({
  page = 1,
  onPage,
  mayAdd = true,
}: {
  page?: number | undefined;
  onPage: (page: number) => void;
  mayAdd?: boolean;
}) {
  const words = useStrings().authoring.images;
  const door = useDoor();
  const images = useQuery(imagesQuery(door, page));
  const [edited, setEdited] = useState<Own | 'new'>();
  const close = (): void => setEdited(undefined);
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 flex-1 basis-72 text-sm text-ink-soft">{words.lead}</p>
        {mayAdd && door.mayChange && (
          <Button aria-haspopup="dialog" onClick={() => setEdited('new')}>
            <Plus size={16} aria-hidden="true" /> {words.add}
          </Button>
        )}
      </div>
      <Fetched query={images}>
        {({ items, total }) => (
          <>
            <ul aria-label={words.title} className="flex flex-col gap-3">
              {items.map((image) => (
                <li key={image.reference}>
                  <OneImage image={image} onEdit={setEdited} />
                </li>
              ))}
            </ul>
            <Pages page={page} pageSize={pageSize} total={total} onChange={onPage} />
          </>
        )}
      </Fetched>
      <EditDialog edited={edited} add={words.add} edit={words.editTitle} onClose={close}>
        {(image) => <ImageForm image={image} onDone={close} />}
      </EditDialog>
    </>
  );
}

const tones = { pulling: 'info', ready: 'good', failed: 'bad' } as const;

function OneImage({ image, onEdit }: { image: ContainerImage; onEdit: (image: Own) => void }) {
  const words = useStrings().authoring.images;
  const format = useFormat();
  const { course, mayChange } = useDoor();
  const { name, reference, state, percent, problem, lacks, is_shipped, is_usable, course_name, examined_at } = image;
  return (
    <Card className="flex flex-wrap items-start gap-x-4 gap-y-3">
      <div className="flex min-w-48 flex-1 flex-col gap-1">
        <h3 className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
          {name} <Badge tone={tones[state]}>{words.states[state]}</Badge>
          {is_shipped && <Badge>{words.shipped}</Badge>}
          {course_name !== null && !course && <Badge>{words.onlyFor(course_name)}</Badge>}
        </h3>
        {reference !== name && <code className="text-sm wrap-anywhere text-ink-soft">{reference}</code>}
        {state === 'pulling' && <ProgressBar value={percent} label={words.progress(name)} />}
        {problem !== null && <p className="text-sm text-bad">{words.problems[problem]}</p>}
        {lacks.length > 0 && (
          <ul className="ml-4 list-disc text-sm">
            {lacks.map((part) => (
              <li key={part}>{words.lacks[part]}</li>
            ))}
          </ul>
        )}
        {state === 'failed' && is_usable && <p className="text-sm">{words.stillUsed}</p>}
        {examined_at !== null && <p className="text-sm text-ink-soft">{words.examined(format.time(examined_at))}</p>}
      </div>
      {isOwn(image) && mayChange && <ImageButtons image={image} onEdit={() => onEdit(image)} />}
    </Card>
  );
}

function ImageButtons({ image: { id, name, state }, onEdit }: { image: Own; onEdit: () => void }) {
  const t = useStrings();
  const words = t.authoring.images;
  const { api } = useDoor();
  const toasts = useToasts();
  const queries = useQueryClient();
  const params = { path: { id } };
  const pull = useMutation({
    mutationFn: () => ok(api.POST('/api/admin/images/{id}/pull', { params })),
    onSuccess: () => toasts.done(words.pulling(name)),
    onError: (error) => toasts.failed(error),
    onSettled: () => queries.invalidateQueries({ queryKey: imagesKey }),
  });
  const remove = async (): Promise<void> => {
    await ok(api.DELETE('/api/admin/images/{id}', { params }));
    toasts.done(words.removed(name));
    await queries.invalidateQueries({ queryKey: imagesKey });
  };
  return (
    <div className="flex flex-wrap items-center gap-1">
      <IconButton
        label={words.pull(name)}
        disabled={pull.isPending || state === 'pulling'}
        onClick={() => pull.mutate()}
      >
        <RefreshCw size={18} aria-hidden="true" />
      </IconButton>
      <IconButton label={`${t.common.edit} ${name}`} aria-haspopup="dialog" onClick={onEdit}>
        <Pencil size={18} aria-hidden="true" />
      </IconButton>
      <DeleteButton
        label={`${words.remove} ${name}`}
        title={words.removeTitle(name)}
        action={words.remove}
        onConfirm={remove}
      >
        {words.removeHelp}
      </DeleteButton>
    </div>
  );
}

/** Adds or changes an image. The password of its registry is never shown. */
function ImageForm({ image, onDone }: { image: Own | undefined; onDone: () => void }) {
  const t = useStrings();
  const words = t.authoring.images;
  const { api } = useDoor();
  const toasts = useToasts();
  const queries = useQueryClient();
  const before = image?.username ?? '';
  const given = { name: image?.name ?? '', reference: '', username: before, password: '' };
  const sent = useSentForm(given, async ({ name, reference, username, password }) => {
    const fields = { name: name.trim() };
    const user = username.trim();
    const isKept = password === '' && user === before;
    const credential = isKept ? {} : { credential: user === '' ? null : { username: user, password } };
    const saved = await ok(
      image
        ? api.PUT('/api/admin/images/{id}', { params: { path: { id: image.id } }, body: { ...fields, ...credential } })
        : api.POST('/api/admin/images', { body: { ...fields, reference: reference.trim(), ...credential } }),
    );
    toasts.done(saved.state === 'pulling' ? words.pulling(saved.name) : t.common.saved);
    await queries.invalidateQueries({ queryKey: imagesKey });
    onDone();
  });
  const { form, field } = sent;
  const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;
  return (
    <SentForm sent={sent} action={image ? t.common.save : words.add}>
      <TextField label={words.name} required maxLength={200} autoComplete="off" {...field('name')} />
      {!image && (
        <TextField
          label={words.reference}
          help={words.referenceHelp}
          required
          maxLength={290}
          className="font-mono"
          {...plain}
          {...field('reference')}
        />
      )}
      <TextField label={words.username} help={words.usernameHelp} maxLength={200} {...plain} {...field('username')} />
      <PasswordField label={words.password} maxLength={8000} autoComplete="off" {...form.register('password')} />
      {image && <p className="text-sm text-ink-soft">{words.passwordHelp}</p>}
    </SentForm>
  );
}
