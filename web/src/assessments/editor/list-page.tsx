import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Copy, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Kind } from '../../api/kinds.ts';
import { navigate } from '../../routing/router.ts';
import { useAddress } from '../../routing/use-address.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import { behindDoor, DoorCrumbs } from '../../teaching-model/behind-door.tsx';
import { useDoor } from '../../teaching-model/door.ts';
import { ImageField } from '../../teaching-model/images.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Badge } from '../../ui/card.tsx';
import { CopyDialog } from '../../ui/copy-dialog.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { useSentForm } from '../../ui/forms/form-field.ts';
import { ListPage } from '../../ui/lists/list-page.tsx';
import type { Column } from '../../ui/lists/table.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useUndo } from '../../ui/use-undo.ts';
import { type Assessment, type AssessmentSearch, callsOf } from './assessment-calls.ts';
import { assessmentsQuery, usePlaces } from './queries.ts';

export const ExamListPage = behindDoor(() => (
  <AssessmentListPage kind="exam" {...useAddress(useDoor().page('/administration/exams'))} />
));
export const LaboratoryListPage = () => (
  <AssessmentListPage kind="laboratory" {...useAddress('/administration/laboratories')} />
);

export const editorPaths = {
  exam: '/administration/exams/$assessmentId',
  laboratory: '/administration/laboratories/$assessmentId',
} as const;

/** All exams, or all laboratories, and the way to create one. */
function AssessmentListPage({
  kind,
  search,
  onSearch,
}: {
  kind: Kind;
  search: AssessmentSearch;
  onSearch: (search: AssessmentSearch, replace: boolean) => void;
}) {
  const t = useStrings();
  const words = t.authoring.kinds[kind];
  const door = useDoor();
  const [deleted, setDeleted] = useState<Assessment>();
  const [copied, setCopied] = useState<Assessment>();
  const columns = useColumns(kind, { onDelete: setDeleted, onCopy: setCopied });
  return (
    <>
      <ListPage
        title={words.listTitle}
        lead={words.listLead}
        crumbs={<DoorCrumbs />}
        actions={door.mayChange && <CreateAssessment kind={kind} />}
        search={search}
        onSearch={onSearch}
        query={useQuery(assessmentsQuery(door, kind, search))}
        empty={{ title: words.emptyTitle, help: words.emptyHelp }}
        columns={columns}
        kind={kind}
      />
      {copied && <CopyAssessment kind={kind} assessment={copied} onClose={() => setCopied(undefined)} />}
      {deleted && <DeleteAssessment kind={kind} assessment={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
}

function CreateAssessment({ kind }: { kind: Kind }) {
  const t = useStrings();
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <Button look="primary" onClick={() => setCreating(true)}>
        <Plus size={16} aria-hidden="true" /> {t.authoring.kinds[kind].create}
      </Button>
      <NewAssessment kind={kind} isOpen={isCreating} onOpenChange={setCreating} />
    </>
  );
}

type Act = (assessment: Assessment) => void;

function useColumns(kind: Kind, { onDelete, onCopy }: { onDelete: Act; onCopy: Act }): Column<Assessment>[] {
  const t = useStrings();
  const places = usePlaces(kind);
  const { mayChange } = useDoor();
  const words = t.authoring.assessment;
  return [
    {
      title: words.title,
      sort: 'title',
      cell: ({ id, title }) => (
        <EditorLink kind={kind} id={id}>
          {title}
        </EditorLink>
      ),
    },
    {
      title: words.status,
      sort: 'is_active',
      firstOrder: 'desc',
      cell: ({ is_active }) => <StatusBadge isActive={is_active} />,
    },
    {
      title: t.authoring.kinds[kind].place,
      sort: 'place',
      isMinor: true,
      cell: ({ place }) => places.find(({ id }) => id === place)?.name ?? '–',
    },
    { title: words.tasks, sort: 'task_count', isNumber: true, cell: ({ task_count }) => task_count },
    {
      title: words.points,
      sort: 'max_score',
      isNumber: true,
      cell: ({ passing_score, max_score }) => `${passing_score} / ${max_score}`,
    },
    {
      title: words.time,
      sort: 'time_limit_minutes',
      isNumber: true,
      isShort: true,
      cell: ({ time_limit_minutes }) => (time_limit_minutes === null ? '–' : t.common.minutes(time_limit_minutes)),
    },
    {
      title: t.authoring.images.image,
      sort: 'container_image',
      isMinor: true,
      cell: ({ container_image }) => <code>{container_image}</code>,
    },
    {
      title: t.common.actions,
      isActions: true,
      cell: (assessment) =>
        mayChange && (
          <span className="flex justify-end">
            <IconButton label={words.copyNamed(assessment.title)} onClick={() => onCopy(assessment)}>
              <Copy size={16} aria-hidden="true" />
            </IconButton>
            <IconButton label={words.deleteNamed(assessment.title)} onClick={() => onDelete(assessment)}>
              <Trash2 size={16} aria-hidden="true" />
            </IconButton>
          </span>
        ),
    },
  ];
}

function EditorLink({ kind, id, children }: { kind: Kind; id: number; children: string }) {
  const door = useDoor();
  return (
    <Link
      to={door.page(editorPaths[kind])}
      params={{ ...door.params, assessmentId: `${id}` }}
      className="font-medium hover:underline"
    >
      {children}
    </Link>
  );
}

export function StatusBadge({ isActive }: { isActive: boolean }) {
  const { statuses } = useStrings().authoring.assessment;
  return <Badge tone={isActive ? 'good' : 'neutral'}>{isActive ? statuses.published : statuses.draft}</Badge>;
}

/** Copies an exam or a laboratory under another title, and opens the draft. */
export function CopyAssessment({
  kind,
  assessment: { id, title },
  onClose,
}: {
  kind: Kind;
  assessment: { id: number; title: string };
  onClose: () => void;
}) {
  const t = useStrings();
  const words = t.authoring.assessment;
  const client = useQueryClient();
  const toasts = useToasts();
  const door = useDoor();
  const copy = async (fields: { title: string }): Promise<void> => {
    const made = await callsOf(door, kind).copy(id, fields);
    toasts.done(words.created);
    onClose();
    navigate({ to: door.page(editorPaths[kind]), params: { ...door.params, assessmentId: `${made.id}` } });
    await client.invalidateQueries({ queryKey: ['authoring'] });
  };
  const texts = { title: words.copyNamed(title), help: words.copyHelp, label: words.title };
  return <CopyDialog {...texts} field="title" given={title} {...{ copy, onClose }} />;
}

/** Asks, deletes, and reports the outcome: one with attempts is only retired. */
export function DeleteAssessment({
  kind,
  assessment: { id, title },
  onClose,
  onDone,
}: {
  kind: Kind;
  assessment: Assessment;
  onClose: () => void;
  onDone?: () => void;
}) {
  const t = useStrings();
  const words = t.authoring.assessment;
  const toasts = useToasts();
  const undo = useUndo();
  const client = useQueryClient();
  const door = useDoor();
  const remove = async (): Promise<void> => {
    const outcome = await callsOf(door, kind).remove(id);
    if (outcome === 'deleted') undo(words.wasDeleted(title), kind, id);
    else toasts.done(words.wasRetired(title));
    onDone?.();
    await client.invalidateQueries({ queryKey: ['authoring', kind, 'list'] });
  };
  return (
    <Confirm
      title={words.deleteTitle(title)}
      action={t.common.delete}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onConfirm={remove}
    >
      <p>{t.authoring.kinds[kind].deleteHelp}</p>
      <p>{t.common.undoHelp}</p>
    </Confirm>
  );
}

const firstImage = 'platform-exam-linux-basics';
const minutes = 60;

type NewAssessmentDraft = { title: string; container_image: string };

/** Asks for the required fields of an exam or a laboratory, creates a draft, and opens it. */
export function NewAssessment({
  kind,
  place,
  isOpen,
  onOpenChange,
}: {
  kind: Kind;
  /** The course of an exam, or the section of a laboratory. */
  place?: number;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}) {
  const t = useStrings();
  return (
    <Dialog title={t.authoring.kinds[kind].create} isOpen={isOpen} onOpenChange={onOpenChange}>
      <NewAssessmentForm kind={kind} place={place ?? null} onClose={() => onOpenChange(false)} />
    </Dialog>
  );
}

function NewAssessmentForm({ kind, place, onClose }: { kind: Kind; place: number | null; onClose: () => void }) {
  const t = useStrings();
  const words = t.authoring.assessment;
  const toasts = useToasts();
  const client = useQueryClient();
  const door = useDoor();
  const create = async (given: NewAssessmentDraft): Promise<void> => {
    const limit = kind === 'exam' ? { time_limit_minutes: minutes } : {};
    const fields = { title: given.title.trim(), container_image: given.container_image.trim(), passing_score: 1 };
    const { id } = await callsOf(door, kind).create({
      ...fields,
      ...limit,
      place: place ?? (kind === 'exam' ? (door.course?.id ?? null) : null),
      is_active: false,
    });
    void client.invalidateQueries({ queryKey: ['authoring', kind, 'list'] });
    toasts.done(words.created);
    navigate({ to: door.page(editorPaths[kind]), params: { ...door.params, assessmentId: `${id}` } });
  };
  const { form, field, error, onSubmit } = useSentForm<NewAssessmentDraft>(
    { title: '', container_image: firstImage },
    create,
  );
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      <TextField label={words.title} {...field('title')} required maxLength={200} autoComplete="off" />
      <ImageField control={form.control} name="container_image" />
      {error !== undefined && <ProblemNote error={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button type="submit" look="primary" isBusy={form.formState.isSubmitting}>
          {t.common.create}
        </Button>
      </div>
    </form>
  );
}
