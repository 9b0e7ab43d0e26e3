import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Body } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Checkbox, Select, TextField } from '../ui/forms/field.tsx';
import { FormButtons } from '../ui/forms/form-buttons.tsx';
import { fieldOf, useSentForm } from '../ui/forms/form-field.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { type Outline, OutlineView } from './outline-view.tsx';
import { repositoriesQuery } from './tree-query.ts';

type Repository = Body<'/api/admin/lessons/import-preview', 'post'>;

/** Imports courses from a repository: its address, then what would come, then the import. */
export function ImportCourses({ onClose }: { onClose: () => void }) {
  const words = useStrings().authoring.imports;
  const [seen, setSeen] = useState<{ repository: Repository; outline: Outline }>();
  return (
    <Dialog
      title={words.title}
      description={seen ? words.previewLead : words.lead}
      width="max-w-2xl"
      isOpen
      onOpenChange={onClose}
    >
      {seen ? (
        <ImportForm
          {...seen}
          onSeen={(repository, outline) => setSeen({ repository, outline })}
          onBack={() => setSeen(undefined)}
          onClose={onClose}
        />
      ) : (
        <RepositoryForm onSeen={(repository, outline) => setSeen({ repository, outline })} />
      )}
    </Dialog>
  );
}

const preview = (body: Repository): Promise<Outline> => ok(api.POST('/api/admin/lessons/import-preview', { body }));

function RepositoryForm({ onSeen }: { onSeen: (repository: Repository, outline: Outline) => void }) {
  const { imports: words, repositories: of } = useStrings().authoring;
  const { data: repositories = [] } = useQuery(repositoriesQuery);
  const stored = repositories.flatMap(({ id, name }) => (id === null ? [] : [{ value: `${id}`, label: name }]));
  const { form, error, onSubmit } = useSentForm({ url: '', branch: '', repository: '' }, async (draft) => {
    const { url, branch, repository } = draft;
    const address = { url: url.trim() || null, branch: branch.trim() || null };
    const body: Repository = repository === '' ? address : { repository_id: Number(repository) };
    onSeen(body, await preview(body));
  });
  const text = { autoComplete: 'off', spellCheck: false, className: 'font-mono' } as const;
  const isStored = form.watch('repository') !== '';
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      {stored.length > 0 && (
        <Select
          label={of.ofImport}
          {...fieldOf(form, 'repository')}
          options={[{ value: '', label: of.byAddress }, ...stored]}
        />
      )}
      {!isStored && (
        <>
          <TextField
            {...text}
            label={words.address}
            help={words.addressHelp}
            maxLength={2048}
            {...fieldOf(form, 'url')}
          />
          <TextField
            {...text}
            label={words.branch}
            help={words.branchHelp}
            maxLength={255}
            {...fieldOf(form, 'branch')}
          />
        </>
      )}
      {error !== undefined && <ProblemNote error={error} />}
      <FormButtons>
        <Button type="submit" look="primary" isBusy={form.formState.isSubmitting}>
          {words.preview}
        </Button>
      </FormButtons>
    </form>
  );
}

function ImportForm({
  repository,
  outline,
  onSeen,
  onBack,
  onClose,
}: {
  repository: Repository;
  outline: Outline;
  onSeen: (repository: Repository, outline: Outline) => void;
  onBack: () => void;
  onClose: () => void;
}) {
  const t = useStrings();
  const words = t.authoring.imports;
  const toasts = useToasts();
  const queries = useQueryClient();
  const hasGone = outline.changes.some(({ action }) => action === 'gone');
  const { form, error, onSubmit } = useSentForm({ deletes_gone: false }, async (fields) => {
    const { courses } = await ok(api.POST('/api/admin/lessons/import', { body: { ...repository, ...fields } }));
    toasts.done(words.imported(courses.map(({ name }) => name).join(', ')));
    await queries.invalidateQueries();
    onClose();
  });
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      {outline.languages.length > 0 && <LanguageChoice {...{ repository, outline, onSeen }} />}
      <OutlineView outline={outline} />
      {hasGone && <Checkbox label={words.deletesGone} {...form.register('deletes_gone')} />}
      {error !== undefined && <ProblemNote error={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onBack}>{words.back}</Button>
        <Button
          type="submit"
          look="primary"
          isBusy={form.formState.isSubmitting}
          disabled={outline.courses.length === 0}
        >
          {words.import}
        </Button>
      </div>
    </form>
  );
}

/** Of lessons that have translations. Another choice shows what would be imported then. */
function LanguageChoice({
  repository,
  outline,
  onSeen,
}: {
  repository: Repository;
  outline: Outline;
  onSeen: (repository: Repository, outline: Outline) => void;
}) {
  const words = useStrings().authoring.imports;
  const { languageName } = useFormat();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (language: string) => {
      const chosen = { ...repository, language: language || null };
      onSeen(chosen, await preview(chosen));
    },
  });
  const options = outline.languages.map((value) => ({ value, label: languageName(value) }));
  return (
    <>
      <Select
        label={words.language}
        value={repository.language ?? ''}
        disabled={isPending}
        onChange={({ target }) => mutate(target.value)}
        options={[{ value: '', label: words.originalLanguage }, ...options]}
      />
      {error !== null && <ProblemNote error={error} />}
    </>
  );
}
