import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Kind } from '../api/kinds.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Badge } from '../ui/card.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Fetched } from '../ui/states.tsx';
import { type Column, Pages, Table } from '../ui/table.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { NewSubject } from './new-subject.tsx';
import { callsOf, pageSize, type Subject } from './subject-calls.ts';
import { subjectsQuery, usePlaces } from './subject-queries.ts';

/** All exams, or all laboratories, with what a look at them tells, and the way to make one. */
export function SubjectListPage({ kind }: { kind: Kind }) {
  const t = useStrings();
  const words = t.authoring.kinds[kind];
  const [page, setPage] = useState(1);
  const [isCreating, setCreating] = useState(false);
  const [deleted, setDeleted] = useState<Subject>();
  const subjects = useQuery(subjectsQuery(kind, page));
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus size={16} aria-hidden="true" /> {words.create}
    </Button>
  );
  return (
    <Page title={words.listTitle} lead={words.listLead} actions={create}>
      <Fetched query={subjects}>
        {({ items, total }) =>
          total === 0 ? (
            <Empty title={words.emptyTitle}>{words.emptyHelp}</Empty>
          ) : (
            <>
              <Subjects kind={kind} subjects={items} onDelete={setDeleted} />
              <Pages page={page} pageSize={pageSize} total={total} onChange={setPage} />
            </>
          )
        }
      </Fetched>
      <NewSubject kind={kind} isOpen={isCreating} onOpenChange={setCreating} />
      {deleted && <DeleteSubject kind={kind} subject={deleted} onClose={() => setDeleted(undefined)} />}
    </Page>
  );
}

function Subjects({
  kind,
  subjects,
  onDelete,
}: {
  kind: Kind;
  subjects: readonly Subject[];
  onDelete: (subject: Subject) => void;
}) {
  const t = useStrings();
  const places = usePlaces(kind);
  const words = t.authoring.subject;
  const columns: Column<Subject>[] = [
    {
      title: words.title,
      cell: ({ id, title }) => (
        <EditorLink kind={kind} id={id}>
          {title}
        </EditorLink>
      ),
    },
    { title: words.status, cell: ({ is_active }) => <StatusBadge isActive={is_active} /> },
    {
      title: t.authoring.kinds[kind].place,
      isMinor: true,
      cell: ({ place }) => places.find(({ id }) => id === place)?.name ?? '–',
    },
    { title: words.tasks, isNumber: true, cell: ({ task_count }) => task_count },
    { title: words.points, isNumber: true, cell: ({ passing_score, max_score }) => `${passing_score} / ${max_score}` },
    {
      title: words.time,
      isNumber: true,
      cell: ({ time_limit_minutes }) => (
        <span className="whitespace-nowrap">
          {time_limit_minutes === null ? '–' : t.common.minutes(time_limit_minutes)}
        </span>
      ),
    },
    { title: words.image, isMinor: true, cell: ({ container_image }) => <code>{container_image}</code> },
    {
      title: t.common.actions,
      cell: (subject) => (
        <IconButton label={words.deleteNamed(subject.title)} onClick={() => onDelete(subject)}>
          <Trash2 size={16} aria-hidden="true" />
        </IconButton>
      ),
    },
  ];
  return <Table caption={t.authoring.kinds[kind].listTitle} columns={columns} rows={subjects} keyOf={({ id }) => id} />;
}

function EditorLink({ kind, id, children }: { kind: Kind; id: number; children: string }) {
  const to = `/administration/${kind === 'exam' ? 'exams' : 'laboratories'}/$subjectId` as const;
  return (
    <Link to={to} params={{ subjectId: `${id}` }} className="font-medium hover:underline">
      {children}
    </Link>
  );
}

export function StatusBadge({ isActive }: { isActive: boolean }) {
  const { statuses } = useStrings().authoring.subject;
  return <Badge tone={isActive ? 'good' : 'neutral'}>{isActive ? statuses.published : statuses.draft}</Badge>;
}

/** Asks, deletes, and says what became of it: one with attempts is only retired. */
export function DeleteSubject({
  kind,
  subject: { id, title },
  onClose,
  onDone,
}: {
  kind: Kind;
  subject: Subject;
  onClose: () => void;
  onDone?: () => void;
}) {
  const t = useStrings();
  const words = t.authoring.subject;
  const toasts = useToasts();
  const client = useQueryClient();
  const remove = async (): Promise<void> => {
    const outcome = await callsOf[kind].remove(id);
    toasts.done(outcome === 'deleted' ? words.wasDeleted(title) : words.wasRetired(title));
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
      <p>{t.authoring.courses.cannotUndo}</p>
    </Confirm>
  );
}
