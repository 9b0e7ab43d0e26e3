import { SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FolderGit2, Plus, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { useDoor } from '../teaching-model/door.ts';
import { Button } from '../ui/button.tsx';
import { DragArea } from '../ui/lists/drag-area.tsx';
import type { Draggable } from '../ui/lists/draggable.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Fetched, Loading } from '../ui/states.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { CourseCard } from './course-card.tsx';
import { ImportCourses } from './import-courses.tsx';
import { LaboratoriesWithoutSection } from './laboratory-rows.tsx';
import type { NodeKind } from './move-node.ts';
import type { OpenDialog } from './node.ts';
import { NodeDialogs } from './node-dialogs.tsx';
import { Reports } from './reports.tsx';
import { type EditedCourse, treeQuery } from './tree-query.ts';
import { useTreeActions } from './use-tree-actions.ts';

/** The courses with their sections, lessons and laboratories: create, edit, hide, delete and reorder. */
export function CourseEditorPage() {
  const t = useStrings();
  const courses = useQuery(treeQuery(useDoor()));
  const [open, setOpen] = useState<OpenDialog>();
  const [isImporting, setImporting] = useState(false);
  return (
    <Page
      title={t.authoring.courses.title}
      lead={t.authoring.courses.lead}
      actions={
        <>
          <RefreshButton />
          <Button onClick={() => setImporting(true)}>
            <FolderGit2 size={16} aria-hidden="true" /> {t.authoring.imports.open}
          </Button>
          <Button look="primary" onClick={() => setOpen({ dialog: 'edit', kind: 'course', parentId: undefined })}>
            <Plus size={16} aria-hidden="true" /> {t.authoring.courses.add.course}
          </Button>
        </>
      }
    >
      <Reports />
      <Fetched query={courses} skeleton={<Loading rows={3} className="h-40" />}>
        {(tree) =>
          tree.length === 0 ? (
            <Empty title={t.authoring.courses.emptyTitle}>{t.authoring.courses.emptyHelp}</Empty>
          ) : (
            <Courses tree={tree} onOpen={setOpen} />
          )
        }
      </Fetched>
      {isImporting && <ImportCourses onClose={() => setImporting(false)} />}
      <NodeDialogs open={open} onClose={() => setOpen(undefined)} />
    </Page>
  );
}

export function Courses({ tree, onOpen }: { tree: EditedCourse[]; onOpen: (open: OpenDialog) => void }) {
  const t = useStrings();
  const { move, moveLaboratory } = useTreeActions();
  const { course } = useDoor();
  const drop = (dragged: Draggable, target: Draggable): void => {
    const id = Number(dragged.id);
    if (dragged.kind === 'laboratory') {
      if (target.parent?.id !== dragged.parent?.id) moveLaboratory(id, target.parent);
      return;
    }
    move({ kind: dragged.kind as NodeKind, id, parentId: target.parent?.id, index: target.index });
  };
  return (
    <DragArea onDrop={drop}>
      <SortableContext items={tree.map(({ id }) => `course-${id}`)} strategy={verticalListSortingStrategy}>
        <ol aria-label={t.authoring.courses.title} className="flex flex-col gap-4">
          {tree.map((course, index) => (
            <CourseCard key={course.id} {...{ course, index, onOpen }} count={tree.length} />
          ))}
        </ol>
      </SortableContext>
      {!course && <LaboratoriesWithoutSection />}
    </DragArea>
  );
}

const shortCommit = 8;

function RefreshButton() {
  const t = useStrings();
  const words = t.authoring.courses;
  const toasts = useToasts();
  const client = useQueryClient();
  const refresh = useMutation({
    mutationFn: () => ok(api.POST('/api/lessons/refresh-repository')),
    onSuccess: async ({ commit, has_changed }) => {
      const short = commit?.slice(0, shortCommit);
      if (!short) toasts.inform(words.emptyRepository);
      else if (has_changed) toasts.done(words.refreshed(short));
      else toasts.inform(words.unchanged(short));
      await client.invalidateQueries({ queryKey: ['lessons'] });
    },
    onError: (error) => toasts.failed(error),
  });
  return (
    <Button isBusy={refresh.isPending} onClick={() => refresh.mutate()}>
      <RefreshCw size={16} aria-hidden="true" /> {words.refresh}
    </Button>
  );
}
