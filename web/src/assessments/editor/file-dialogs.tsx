import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useStrings } from '../../strings/use-strings.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, inputClasses, Select, TextField } from '../../ui/forms/field.tsx';
import { fieldOf, useSentForm } from '../../ui/forms/form-field.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { changeFile, type FileFields, filesQuery, type MachineFile, uploadFile } from './file-calls.ts';
import type { AssessmentEditor } from './use-editor.ts';

type Upload = FileFields & { task: string };

/** Uploads a file for the whole or for one of its saved tasks. */
export function UploadFile({ editor, onClose }: { editor: AssessmentEditor; onClose: () => void }) {
  const t = useStrings();
  const words = t.authoring.files;
  const toasts = useToasts();
  const client = useQueryClient();
  const { door, kind, saved } = editor;
  const [content, setContent] = useState<File>();
  const send = async ({ task, ...fields }: Upload): Promise<void> => {
    if (!content) return;
    await uploadFile(door, kind, saved.id, fields, task === '' ? undefined : Number(task), content);
    await client.invalidateQueries(filesQuery(door, kind, saved.id));
    toasts.done(words.uploaded(fields.path));
    onClose();
  };
  const { form, field, error, onSubmit } = useSentForm<Upload>({ path: '', owner: '', mode: '', task: '' }, send);
  const choose = (file: File | undefined): void => {
    setContent(file);
    if (file && form.getValues('path') === '') form.setValue('path', `/home/student/${file.name}`);
  };
  return (
    <Dialog title={words.upload} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <form className="flex flex-col gap-4" onSubmit={onSubmit}>
        <Field label={words.file}>
          {(control) => (
            <input
              {...control}
              type="file"
              required
              className={inputClasses}
              onChange={({ target }) => choose(target.files?.[0])}
            />
          )}
        </Field>
        <Fields form={form as unknown as UseFormReturn<FileFields>} />
        <Select
          label={words.neededBy}
          {...field('task')}
          options={[
            { value: '', label: words.whole },
            ...saved.tasks.map(({ id, title }) => ({ value: `${id}`, label: title })),
          ]}
        />
        <Foot {...{ error, onClose }} action={words.upload} isBusy={form.formState.isSubmitting} />
      </form>
    </Dialog>
  );
}

/** Changes the path, the owner and the mode of a file. */
export function ChangeFile({
  editor: { door, kind, saved },
  file,
  onClose,
}: {
  editor: AssessmentEditor;
  file: MachineFile;
  onClose: () => void;
}) {
  const t = useStrings();
  const client = useQueryClient();
  const given = { path: file.path, owner: file.owner, mode: file.mode };
  const { form, error, onSubmit } = useSentForm<FileFields>(given, async (fields) => {
    await changeFile(door, kind, saved.id, file.id, fields);
    await client.invalidateQueries(filesQuery(door, kind, saved.id));
    onClose();
  });
  return (
    <Dialog title={t.authoring.files.change(file.path)} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <form className="flex flex-col gap-4" onSubmit={onSubmit}>
        <Fields form={form} isRequired />
        <Foot {...{ error, onClose }} action={t.common.save} isBusy={form.formState.isSubmitting} />
      </form>
    </Dialog>
  );
}

function Fields({ form, isRequired = false }: { form: UseFormReturn<FileFields>; isRequired?: boolean }) {
  const words = useStrings().authoring.files;
  const plain = { autoComplete: 'off', spellCheck: false, className: 'font-mono' } as const;
  return (
    <>
      <TextField {...plain} label={words.path} help={words.pathHelp} {...fieldOf(form, 'path')} required />
      <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2">
        <TextField
          {...plain}
          label={words.owner}
          help={words.ownerHelp}
          {...fieldOf(form, 'owner')}
          required={isRequired}
        />
        <TextField
          {...plain}
          label={words.mode}
          help={words.modeHelp}
          {...fieldOf(form, 'mode')}
          required={isRequired}
        />
      </div>
    </>
  );
}

function Foot({
  error,
  action,
  isBusy,
  onClose,
}: {
  error: unknown;
  action: string;
  isBusy: boolean;
  onClose: () => void;
}) {
  const t = useStrings();
  return (
    <>
      {error !== undefined && <ProblemNote error={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button type="submit" look="primary" isBusy={isBusy}>
          {action}
        </Button>
      </div>
    </>
  );
}
