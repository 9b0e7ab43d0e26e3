import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Body } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import type { components } from '../api/schema.d.ts';
import { codedText } from '../strings/coded-text.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { useDoor } from '../teaching-model/door.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Checkbox, Select, TextField } from '../ui/forms/field.tsx';
import { FormButtons } from '../ui/forms/form-buttons.tsx';
import { useSentForm } from '../ui/forms/form-field.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useToasts } from '../ui/toasts.tsx';
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
  const { data: repositories = [] } = useQuery(repositoriesQuery(useDoor()));
  const stored = repositories.flatMap(({ id, name }) => (id === null ? [] : [{ value: `${id}`, label: name }]));
  const { form, field, error, onSubmit } = useSentForm({ url: '', branch: '', repository: '' }, async (draft) => {
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
          {...field('repository')}
          options={[{ value: '', label: of.byAddress }, ...stored]}
        />
      )}
      {!isStored && (
        <>
          <TextField {...text} label={words.address} help={words.addressHelp} maxLength={2048} {...field('url')} />
          <TextField {...text} label={words.branch} help={words.branchHelp} maxLength={255} {...field('branch')} />
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

type Outline = components['schemas']['CourseOutline'];
type Problem = Outline['problems'][number];
type Section = Outline['courses'][number]['sections'][number];

const minutesOf = (sections: readonly Section[]): number =>
  sections.flatMap(({ themes }) => themes).reduce((sum, { duration_minutes }) => sum + duration_minutes, 0);

/** The courses that an import would bring, what would change, and what would be left out. */
function OutlineView({ outline }: { outline: Outline }) {
  const words = useStrings().authoring.imports;
  const { courses, changes, problems, warnings } = outline;
  const count = (wanted: Outline['changes'][number]['action']): number =>
    changes.filter(({ action }) => action === wanted).length;
  return (
    <div className="flex flex-col gap-4 text-sm">
      <p className="text-ink-soft">
        {outline.file ? words.from(outline.file) : words.fromFolders}
        {outline.commit ? ` ${words.commit(outline.commit.slice(0, 8))}` : ''}
      </p>
      {courses.map((course) => (
        <section key={course.slug} aria-label={course.name} className="rounded-lg border p-3">
          <h3 className="font-semibold">
            {course.name} <Minutes count={minutesOf(course.sections)} />
          </h3>
          <p className="text-ink-soft">{course.id === null ? words.newCourse : words.known}</p>
          <ol className="mt-2 flex flex-col gap-2" aria-label={words.sectionsOf(course.name)}>
            {course.sections.map((section) => (
              <li key={section.slug}>
                <p className="font-medium">
                  {section.name} <Minutes count={minutesOf([section])} />
                </p>
                <ol className="ml-4 list-decimal text-ink-soft">
                  {section.themes.map((lesson) => (
                    <li key={lesson.slug} title={lesson.markdown_file_path}>
                      {lesson.title} <Minutes count={lesson.duration_minutes} />
                      {lesson.id === null && course.id !== null && <span className="text-accent"> {words.isNew}</span>}
                    </li>
                  ))}
                </ol>
              </li>
            ))}
          </ol>
        </section>
      ))}
      {courses.length > 0 && <p>{words.changes(count('new'), count('changed'), count('gone'), count('kept'))}</p>}
      <Problems title={words.problems(outline.problem_count)} problems={problems} isBad />
      <Problems title={words.warnings(outline.warning_count)} problems={warnings} />
    </div>
  );
}

function Minutes({ count }: { count: number }) {
  const words = useStrings().authoring.imports;
  return <span className="font-normal text-ink-soft">· {words.minutes(count)}</span>;
}

function Problems({ title, problems, isBad }: { title: string; problems: readonly Problem[]; isBad?: boolean }) {
  const t = useStrings();
  if (problems.length === 0) return null;
  return (
    <details open={isBad}>
      <summary className={isBad ? 'font-medium text-bad' : 'font-medium'}>{title}</summary>
      <ul className="mt-1 ml-4 list-disc break-words">
        {problems.map(({ file, line, message, ...problem }) => (
          <li key={`${file}:${line}:${message}`}>
            <code>
              {file}:{line}
            </code>{' '}
            {codedText(t, problem, message)}
          </li>
        ))}
      </ul>
    </details>
  );
}
