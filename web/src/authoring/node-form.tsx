import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { iconNames } from '../lessons/course-icon.tsx';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox, Select, TextArea, TextField } from '../ui/field.tsx';
import { fieldOf, useSentForm } from '../ui/form-field.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useToasts } from '../ui/toasts.tsx';
import type { NodeKind } from './move-node.ts';
import type { Node } from './node.ts';
import { draftFieldOf, fieldsOf, type NodeDraft, nodeDraftOf } from './node-draft.ts';
import { placesQuery, repositoriesQuery, templateListQuery } from './tree-query.ts';
import { useTreeActions } from './use-tree-actions.ts';

/** Creates or changes a course, a section or a theme. */
export function NodeForm({
  kind,
  node,
  parentId,
  onClose,
}: {
  kind: NodeKind;
  node: Node | undefined;
  parentId: number | undefined;
  onClose: () => void;
}) {
  const t = useStrings();
  const words = t.authoring.courses;
  const toasts = useToasts();
  const { save } = useTreeActions();
  const { data: parents = [] } = useQuery({
    ...placesQuery(kind === 'theme' ? 'section' : 'course'),
    enabled: kind !== 'course',
  });
  const { data: templates = [] } = useQuery(templateListQuery);
  const { data: repositories = [] } = useQuery({ ...repositoriesQuery, enabled: kind === 'course' });
  const named = repositories.map(({ id, name, courses }) => ({
    value: id === null ? 'default' : `${id}`,
    label: id === null ? t.authoring.repositories.default : name,
    isCurrent: node === undefined ? id === null : courses.some((course) => course.id === node.id),
  }));
  const current = named.find(({ isCurrent }) => isCurrent)?.label ?? t.authoring.repositories.default;
  const send = async (draft: NodeDraft): Promise<void> => {
    await save(kind, node?.id, await fieldsOf(kind, draft, node));
    toasts.done(words.saved(draft.name.trim()));
    onClose();
  };
  const { form, error, onSubmit } = useSentForm<NodeDraft>(nodeDraftOf(node, parentId), send, draftFieldOf);
  const field = (name: keyof NodeDraft) => fieldOf(form, name);
  const icons = useId();
  const text = { autoComplete: 'off' } as const;
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      <TextField
        {...text}
        label={kind === 'theme' ? words.themeTitle : words.name}
        {...field('name')}
        maxLength={200}
        required
      />
      {kind === 'course' && (
        <>
          <TextArea label={words.description} {...field('description')} />
          <TextField {...text} label={words.icon} help={words.iconHelp} {...field('icon')} list={icons} />
          <datalist id={icons}>
            {iconNames.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
      {kind === 'course' && repositories.length > 1 && (
        <Select
          label={t.authoring.repositories.ofCourse}
          {...field('repository')}
          options={[
            { value: '', label: node ? t.authoring.repositories.current(current) : current },
            ...named.filter(({ isCurrent }) => !isCurrent),
          ]}
        />
      )}
      {kind !== 'course' && (
        <Select
          // A select takes its value when its options are there.
          key={parents.length}
          label={kind === 'theme' ? words.section : words.course}
          {...field('parent')}
          options={parents.map(({ id, name }) => ({ value: `${id}`, label: name }))}
        />
      )}
      {kind === 'theme' && (
        <>
          <TextField
            {...text}
            label={words.file}
            help={words.fileHelp}
            {...field('file')}
            className="font-mono"
            spellCheck={false}
            required
          />
          <TextField {...text} label={words.duration} {...field('duration')} type="number" min={0} max={10_000} />
        </>
      )}
      <Select
        key={`template-${templates.length}`}
        label={words.template}
        help={words.templateHelp}
        {...field('template')}
        options={[
          { value: '', label: words.noTemplate[kind] },
          ...templates.map(({ id, name }) => ({ value: `${id}`, label: name })),
        ]}
      />
      <TextField
        {...text}
        label={words.slug}
        help={words.slugHelp}
        {...field('slug')}
        pattern="[a-z0-9]+(-[a-z0-9]+)*"
        title={words.slugWrong}
        spellCheck={false}
        maxLength={100}
      />
      {kind !== 'theme' && <Checkbox label={words.isActive} {...form.register('isActive')} />}
      {kind === 'course' && <Checkbox label={words.isClassOnly} {...form.register('isClassOnly')} />}
      {error !== undefined && <ProblemNote error={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button type="submit" look="primary" isBusy={form.formState.isSubmitting}>
          {node ? t.common.save : t.common.create}
        </Button>
      </div>
    </form>
  );
}
