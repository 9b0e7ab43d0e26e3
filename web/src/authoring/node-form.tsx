import { useQuery } from '@tanstack/react-query';
import { useUser } from '../api/use-session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { type Door, useDoor } from '../teaching-model/door.ts';
import { OpeningFields } from '../teaching-model/opening-fields.tsx';
import { parentsQuery } from '../teaching-model/parents.ts';
import { Button } from '../ui/button.tsx';
import { useDraftForm } from '../ui/forms/draft-form.ts';
import { DraftNote } from '../ui/forms/draft-note.tsx';
import { Checkbox, Select, TextArea, TextField } from '../ui/forms/field.tsx';
import { showArrival } from '../ui/lists/arrivals.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { instantOrNull, localTime } from '../ui/time/local-time.ts';
import { useToasts } from '../ui/toasts.tsx';
import { LessonFileFields } from '../written-lessons/lesson-file.tsx';
import { IconPicker } from './icon-picker.tsx';
import type { NodeKind } from './move-node.ts';
import { isWritten, type Node, nameOf } from './node.ts';
import { lastOrderIn, repositoriesQuery, templateListQuery } from './tree-query.ts';
import { type NodeFields, useTreeActions } from './use-tree-actions.ts';

/** Creates or changes a course, a section or a lesson. */
export function NodeForm({
  kind,
  node,
  parentId,
  onClose,
  onCreated,
}: {
  kind: NodeKind;
  node: Node | undefined;
  parentId: number | undefined;
  onClose: () => void;
  onCreated?: ((id: number) => void) | undefined;
}) {
  const t = useStrings();
  const words = t.authoring.courses;
  const toasts = useToasts();
  const { save, write } = useTreeActions();
  const door = useDoor();
  const { data: parents = [] } = useQuery({
    ...parentsQuery(door, kind === 'theme' ? 'section' : 'course'),
    enabled: kind !== 'course',
  });
  // An instructor creates a course before there is a door to it.
  const user = useUser();
  const mayList = user.role === 'admin' || door.course !== undefined;
  const { data: templates = [] } = useQuery({ ...templateListQuery(door), enabled: mayList });
  const { data: repositories = [] } = useQuery({ ...repositoriesQuery(door), enabled: mayList && kind === 'course' });
  const named = repositories.map(({ id, name, courses }) => ({
    value: id === null ? 'default' : `${id}`,
    label: id === null ? t.authoring.repositories.default : name,
    isCurrent: node === undefined ? id === null : courses.some((course) => course.id === node.id),
  }));
  const current = named.find(({ isCurrent }) => isCurrent)?.label ?? t.authoring.repositories.default;
  const send = async (edited: NodeDraft): Promise<void> => {
    const id = await save(kind, node?.id, await fieldsOf(door, kind, edited, node));
    toasts.done(words.saved(edited.name.trim()));
    onClose();
    if (!node && onCreated) return onCreated(id);
    // A moved item leaves its old place.
    const course = parents.find((parent) => `${parent.id}` === edited.parent)?.course_id ?? edited.parent;
    if (!node || edited.parent !== `${parentId ?? ''}`) showArrival(kind, id, { within: `course-${course}` });
    // Its file is opened, and created where there is none yet.
    if (kind === 'theme' && edited.source === 'written' && (node === undefined || !isWritten(node))) await write(id);
  };
  const draftName = `${kind}-${node ? node.id : `in-${parentId ?? 'catalogue'}`}`;
  const given = nodeDraftOf(node, parentId, door.course !== undefined);
  const { form, field, error, draft, discard, onSubmit } = useDraftForm<NodeDraft>(
    draftName,
    given,
    send,
    draftFieldOf,
  );
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
          <LessonFileFields form={form} />
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
      {kind === 'section' && (
        <OpeningFields
          time={field('opensAt')}
          after={form.watch('opensAfter')}
          onAfter={(keys) => form.setValue('opensAfter', keys, { shouldDirty: true })}
          problem={form.getFieldState('opensAfter', form.formState).error?.message}
          courseId={Number(form.watch('parent')) || undefined}
          own={node && `section:${node.id}`}
        />
      )}
      {kind !== 'theme' && <Checkbox label={words.isActive} {...form.register('isActive')} />}
      {kind === 'course' && <Checkbox label={words.isClassOnly} {...form.register('isClassOnly')} />}
      {kind === 'course' && <Checkbox label={words.certificate} {...form.register('hasCertificate')} />}
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

/** A course, a section or a lesson while it is edited. Fields that its kind does not have are empty. */
type NodeDraft = {
  name: string;
  description: string;
  icon: string;
  slug: string;
  /** The id of the parent course or section. */
  parent: string;
  /** Of a lesson. Empty for a new one that is written in the pages: named after the lesson. */
  file: string;
  /** Whether its text is in the repository of the course, or written in the pages. */
  source: 'repository' | 'written';
  duration: string;
  isActive: boolean;
  /** The id of a sandbox template, or empty. */
  template: string;
  isClassOnly: boolean;
  hasCertificate: boolean;
  /** Of a section: in the time of the browser, or empty. */
  opensAt: string;
  opensAfter: string[];
  /** The id of another lesson repository of a course, `default`, or empty for no change. */
  repository: string;
};

function nodeDraftOf(node: Node | undefined, parentId: number | undefined, isStaffs: boolean): NodeDraft {
  const isLesson = node !== undefined && 'markdown_file_path' in node;
  return {
    name: node ? nameOf(node) : '',
    description: node && 'description' in node ? node.description : '',
    icon: node && 'icon' in node ? node.icon : '',
    slug: node?.slug ?? '',
    parent: `${parentId ?? ''}`,
    file: isLesson ? node.markdown_file_path : '',
    source: node ? (isWritten(node) ? 'written' : 'repository') : isStaffs ? 'written' : 'repository',
    duration: isLesson ? `${node.duration_minutes}` : '',
    // Students see nothing of a new course or section before its author publishes it.
    isActive: node !== undefined && 'is_active' in node && node.is_active,
    template: `${node?.template_id ?? ''}`,
    isClassOnly: node !== undefined && 'is_class_only' in node && node.is_class_only,
    hasCertificate: node !== undefined && 'has_certificate' in node && node.has_certificate,
    opensAt: localTime(node && 'opens_at' in node ? node.opens_at : null),
    opensAfter: node && 'opens_after' in node ? node.opens_after : [],
    repository: '',
  };
}

const fieldNames: Record<string, keyof NodeDraft> = {
  name: 'name',
  title: 'name',
  description: 'description',
  icon: 'icon',
  slug: 'slug',
  course_id: 'parent',
  section_id: 'parent',
  markdown_file_path: 'file',
  is_written: 'source',
  duration_minutes: 'duration',
  template_id: 'template',
  repository_id: 'repository',
  opens_at: 'opensAt',
  opens_after: 'opensAfter',
};

/** The draft field for the service's field `name`. */
const draftFieldOf = (name: string): keyof NodeDraft | undefined => fieldNames[name];

/** The fields that are sent to save a draft. Without a slug the service creates one, or keeps the old one. */
async function fieldsOf(door: Door, kind: NodeKind, draft: NodeDraft, node: Node | undefined): Promise<NodeFields> {
  const slug = draft.slug.trim() === '' ? {} : { slug: draft.slug.trim() };
  const name = draft.name.trim();
  const { isActive: is_active, isClassOnly: is_class_only, hasCertificate: has_certificate } = draft;
  const template_id = draft.template === '' ? null : Number(draft.template);
  if (kind === 'course') {
    const { description, icon } = draft;
    const { repository: chosen } = draft;
    const repository = chosen === '' ? {} : { repository_id: chosen === 'default' ? null : Number(chosen) };
    return {
      name,
      description,
      icon: icon.trim(),
      is_active,
      is_class_only,
      has_certificate,
      template_id,
      ...repository,
      ...slug,
    };
  }
  const parent = Number(draft.parent);
  const before = node && ('course_id' in node ? node.course_id : 'section_id' in node ? node.section_id : undefined);
  // A node from another parent is put at the end.
  const order = node && before !== parent ? { order_index: (await lastOrderIn(door, kind, parent)) + 1 } : {};
  if (kind === 'section') {
    const opening = {
      opens_at: instantOrNull(draft.opensAt),
      opens_after: draft.opensAfter,
    };
    return { name, course_id: parent, is_active, template_id, ...opening, ...order, ...slug };
  }
  const duration = draft.duration.trim() === '' ? {} : { duration_minutes: Number(draft.duration) };
  const is_written = draft.source === 'written';
  const path = draft.file.trim() || (is_written ? pathFor(door, name) : '');
  const file = { markdown_file_path: path, is_written, ...duration };
  return { title: name, section_id: parent, ...file, template_id, ...order, ...slug };
}

/** The path of the text of a new lesson. */
const pathFor = ({ course }: Door, title: string): string =>
  `${course ? `courses/${course.id}/` : ''}${
    title
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join('-') ?? 'lesson'
  }.md`;
