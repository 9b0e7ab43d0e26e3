import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox, TextArea, TextField } from '../ui/forms/field.tsx';
import { FormButtons } from '../ui/forms/form-buttons.tsx';
import { fieldOf, useSentForm } from '../ui/forms/form-field.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { type LessonRepository, repositoriesQuery } from './tree-query.ts';

/** Adds or changes a lesson repository. Its key is never shown. */
export function RepositoryForm({
  repository,
  onDone,
}: {
  repository: LessonRepository | undefined;
  onDone: () => void;
}) {
  const t = useStrings();
  const words = t.authoring.repositories;
  const toasts = useToasts();
  const queries = useQueryClient();
  const id = repository?.id;
  const given = {
    name: repository?.name ?? '',
    url: repository?.url ?? '',
    branch: repository?.branch ?? '',
    username: repository?.username ?? '',
    key: '',
    removesKey: false,
  };
  const { form, error, onSubmit } = useSentForm(given, async ({ name, url, branch, username, key, removesKey }) => {
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
    await queries.invalidateQueries({ queryKey: repositoriesQuery.queryKey });
    onDone();
  });
  const text = { autoComplete: 'off', spellCheck: false, className: 'font-mono' } as const;
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      {error !== undefined && <ProblemNote error={error} />}
      <TextField label={words.name} required maxLength={200} {...fieldOf(form, 'name')} />
      <TextField
        {...text}
        label={words.address}
        help={words.addressHelp}
        required
        maxLength={2048}
        {...fieldOf(form, 'url')}
      />
      <TextField {...text} label={words.branch} help={words.branchHelp} maxLength={255} {...fieldOf(form, 'branch')} />
      <TextField
        {...text}
        label={words.username}
        help={words.usernameHelp}
        maxLength={200}
        {...fieldOf(form, 'username')}
      />
      <TextArea
        {...text}
        label={words.key}
        help={repository?.has_key ? words.keptKeyHelp : words.keyHelp}
        rows={5}
        maxLength={20_000}
        {...fieldOf(form, 'key')}
      />
      {repository?.has_key && <Checkbox label={words.removesKey} {...form.register('removesKey')} />}
      <FormButtons>
        <Button type="submit" look="primary" isBusy={form.formState.isSubmitting}>
          {repository ? t.common.save : words.add}
        </Button>
      </FormButtons>
    </form>
  );
}
