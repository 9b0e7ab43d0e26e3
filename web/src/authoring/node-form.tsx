import { useQuery } from '@tanstack/react-query';
import { useStrings } from '../strings/use-strings.tsx';
import { parentsQuery } from '../teaching-model/parents.ts';
import { Button } from '../ui/button.tsx';
import { useDraftForm } from '../ui/forms/draft-form.ts';
import { DraftNote } from '../ui/forms/draft-note.tsx';
import { Checkbox, Select, TextArea, TextField } from '../ui/forms/field.tsx';
import { fieldOf } from '../ui/forms/form-field.ts';
import { showArrival } from '../ui/lists/arrivals.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { LessonFile } from '../written-lessons/lesson-file.tsx';
import { IconPicker } from './icon-picker.tsx';
import type { NodeKind } from './move-node.ts';
import { isWritten, type Node } from './node.ts';
import { draftFieldOf, fieldsOf, type NodeDraft, nodeDraftOf } from './node-draft.ts';
import { repositoriesQuery, templateListQuery } from './tree-query.ts';
import { useTreeActions } from './use-tree-actions.ts';

/** Creates or changes a course, a section or a lesson. */
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
  const { save, write } = useTreeActions();
  const { data: parents = [] } = useQuery({
    ...parentsQuery(kind === 'theme' ? 'section' : 'course'),
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
  const send = async (edited: NodeDraft): Promise<void> => {
    const id = await save(kind, node?.id, await fieldsOf(kind, edited, node));
    toasts.done(words.saved(edited.name.trim()));
    onClose();
    // A moved item leaves its old place.
    const course = parents.find((parent) => `${parent.id}` === edited.parent)?.course_id ?? edited.parent;
    if (!node || edited.parent !== `${parentId ?? ''}`) showArrival(kind, id, { within: `course-${course}` });
    // Its file is opened, and created where there is none yet.
    if (kind === 'theme' && edited.source === 'written' && (node === undefined || !isWritten(node))) await write(id);
  };
  const draftName = `${kind}-${node ? node.id : `in-${parentId ?? 'catalogue'}`}`;
  const given = nodeDraftOf(node, parentId);
  const { form, error, draft, discard, onSubmit } = useDraftForm<NodeDraft>(draftName, given, send, draftFieldOf);
  const field = (name: keyof NodeDraft) => fieldOf(form, name);
  const cancel = (): void => {
    discard();
    draft.drop();
    onClose();
  };
  const text = { autoComplete: 'off' } as const;
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      <DraftNote draft={draft} onDiscard={discard} />
      <TextField
        {...text}
        label={kind === 'theme' ? words.lessonTitle : words.name}
        {...field('name')}
        maxLength={200}
        required
      />
      {kind === 'course' && (
        <>
          <TextArea label={words.description} {...field('description')} />
          <IconPicker field={form.register('icon')} given={given.icon} />
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
          <LessonFile form={form} />
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
        <Button onClick={cancel}>{t.common.cancel}</Button>
        <Button type="submit" look="primary" isBusy={form.formState.isSubmitting}>
          {node ? t.common.save : t.common.create}
        </Button>
      </div>
    </form>
  );
}
