import { SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { CircleAlert, Plus } from 'lucide-react';
import { useState } from 'react';
import { useStrings } from '../../strings/use-strings.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Select } from '../../ui/forms/field.tsx';
import { itemOf } from '../../ui/lists/arrivals.ts';
import { DragArea } from '../../ui/lists/drag-area.tsx';
import { useDraggable } from '../../ui/lists/draggable.tsx';
import { numberOf, type TaskDraft } from './draft.ts';
import { type TaskTemplate, taskTemplates } from './task-templates.ts';
import type { AssessmentEditor } from './use-editor.ts';

const names = Object.keys(taskTemplates) as TaskTemplate[];

/** The tasks in their order. They can be selected and reordered. */
export function TaskList({
  editor,
  chosen,
  onChoose,
  onAdd,
}: {
  editor: AssessmentEditor;
  chosen: string | undefined;
  onChoose: (key: string) => void;
  onAdd: (template?: TaskTemplate) => void;
}) {
  const t = useStrings();
  const { tasks } = editor.draft;
  const templates = t.authoring.taskTemplates;
  const [template, setTemplate] = useState<TaskTemplate | ''>('');
  return (
    <div className="flex flex-col gap-3">
      <DragArea onDrop={(dragged, target) => editor.moveTask(dragged.index, target.index)}>
        <SortableContext items={tasks.map(({ key }) => `task-${key}`)} strategy={verticalListSortingStrategy}>
          <ol aria-label={t.authoring.task.list} className="flex flex-col gap-1.5 empty:hidden">
            {tasks.map((task, index) => (
              <TaskRow
                key={task.key}
                {...{ task, index, editor, onChoose }}
                count={tasks.length}
                isChosen={task.key === chosen}
              />
            ))}
          </ol>
        </SortableContext>
      </DragArea>
      {editor.door.mayChange && (
        <>
          <Select
            label={templates.choose}
            help={templates.help}
            value={template}
            onChange={({ target }) => setTemplate(target.value as TaskTemplate | '')}
            options={[
              { value: '', label: templates.empty },
              ...names.map((value) => ({ value, label: templates[value].name })),
            ]}
          />
          <Button onClick={() => onAdd(template || undefined)}>
            <Plus size={16} aria-hidden="true" /> {t.authoring.task.add}
          </Button>
        </>
      )}
    </div>
  );
}

function TaskRow({
  task,
  index,
  count,
  editor: { changes, door, form },
  isChosen,
  onChoose,
}: {
  task: TaskDraft;
  index: number;
  count: number;
  editor: AssessmentEditor;
  isChosen: boolean;
  onChoose: (key: string) => void;
}) {
  const t = useStrings();
  const name = task.title.trim() || t.authoring.task.untitled(index + 1);
  const { ref, style, className, handle } = useDraggable({ kind: 'task', id: task.key, name, index, count });
  const isUnsaved = changes.tasks.some(({ key }) => key === task.key);
  return (
    <li
      ref={ref}
      style={style}
      {...itemOf('task', task.key)}
      className={classes(
        'flex items-center gap-1 rounded-md border pr-3',
        isChosen ? 'border-accent bg-accent-soft' : 'bg-surface',
        className,
      )}
    >
      {door.mayChange && handle}
      <button
        type="button"
        onClick={() => onChoose(task.key)}
        aria-current={isChosen || undefined}
        className="flex min-h-11 min-w-0 flex-1 items-center gap-2 text-left text-sm"
      >
        <span className="min-w-0 flex-1 truncate">{name}</span>
        {isUnsaved && (
          <span className="size-2 shrink-0 rounded-full bg-warn">
            <span className="sr-only">{t.authoring.assessment.unsavedShort}</span>
          </span>
        )}
        {form.formState.errors.tasks?.[index] && (
          <span className="shrink-0 text-bad">
            <CircleAlert size={16} aria-hidden="true" />
            <span className="sr-only">{t.authoring.task.hasProblem}</span>
          </span>
        )}
        <span className="shrink-0 text-xs text-ink-soft tabular-nums">
          {t.common.points(numberOf(task.points) || 0)}
        </span>
      </button>
    </li>
  );
}
