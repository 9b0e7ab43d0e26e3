import { ArrowDown, ArrowUp, FlaskConical } from 'lucide-react';
import { MarkdownArea } from '../../markdown/markdown-area.tsx';
import { useStrings } from '../../strings/use-strings.tsx';
import type { TaskKind } from '../../teaching-model/assessments.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DeleteButton } from '../../ui/delete-button.tsx';
import { optionsOf, Select, TextField } from '../../ui/forms/field.tsx';
import { fieldOf } from '../../ui/forms/form-field.ts';
import { showArrival } from '../../ui/lists/arrivals.ts';
import { useToasts } from '../../ui/toasts.tsx';
import { useUndo } from '../../ui/use-undo.ts';
import { needsMachine, type TaskDraft } from './draft.ts';
import { editedKinds } from './kinds/task-kinds.ts';
import { ParametersField } from './parameters-field.tsx';
import { ScriptField } from './script-field.tsx';
import type { AssessmentEditor } from './use-editor.ts';
import type { TrialRun } from './use-trial.ts';

/** Both words for the end mean the same, so each kind has its own; the other one stays selectable where a file or a program has set it. */
const visibilities = {
  exam: ['never', 'after_passing', 'after_close', 'after_due'],
  laboratory: ['never', 'after_passing', 'after_due', 'after_close'],
} as const;

/** One task: its text, its points and its scripts. */
export function TaskForm({
  editor,
  task,
  index,
  trial,
  onTry,
}: {
  editor: AssessmentEditor;
  task: TaskDraft;
  index: number;
  trial: TrialRun;
  onTry: () => void;
}) {
  const t = useStrings();
  const words = t.authoring.task;
  const { kind, form, draft, moveTask } = editor;
  const { Fields } = editedKinds[task.kind];
  const field = (name: 'kind' | 'title' | 'points' | 'description' | 'hint' | 'solution' | 'solution_visible') =>
    fieldOf(form, `tasks.${index}.${name}`);
  return (
    <Card className="flex min-w-0 flex-col gap-4 p-5">
      <div className="flex flex-wrap items-center gap-1">
        <h3 className="mr-auto font-semibold">{words.heading(index + 1)}</h3>
        <IconButton label={words.moveUp} disabled={index === 0} onClick={() => moveTask(index, index - 1)}>
          <ArrowUp size={16} aria-hidden="true" />
        </IconButton>
        <IconButton
          label={words.moveDown}
          disabled={index === draft.tasks.length - 1}
          onClick={() => moveTask(index, index + 1)}
        >
          <ArrowDown size={16} aria-hidden="true" />
        </IconButton>
        <DeleteTask editor={editor} task={task} index={index} />
      </div>
      <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-[minmax(0,1fr)_7rem]">
        <TextField label={words.title} {...field('title')} maxLength={200} required autoComplete="off" />
        <TextField
          label={words.points}
          {...field('points')}
          inputMode="decimal"
          required
          autoComplete="off"
          className="tabular-nums"
        />
      </div>
      <Select
        label={words.kind}
        {...field('kind')}
        options={optionsOf(Object.keys(editedKinds) as TaskKind[], words.kinds)}
      />
      <MarkdownArea label={words.description} help={words.descriptionHelp} {...field('description')} />
      {kind === 'laboratory' && <MarkdownArea label={words.hint} help={words.hintHelp} {...field('hint')} rows={2} />}
      <Fields {...{ form, task, index }} />
      <MarkdownArea label={words.workedSolution} help={words.workedSolutionHelp} {...field('solution')} rows={3} />
      <Select
        label={words.solutionVisible}
        help={words.solutionVisibleHelp[kind]}
        {...field('solution_visible')}
        options={visibilities[kind].map((value) => ({ value, label: words.solutionVisibilities[value] }))}
      />
      <ParametersField editor={editor} index={index} />
      <TextField
        label={words.pool}
        help={words.poolHelp}
        {...fieldOf(form, `tasks.${index}.pool`)}
        maxLength={100}
        autoComplete="off"
      />
      {needsMachine(task) && (
        <ScriptField
          label={words.setup}
          help={words.setupHelp}
          control={form.control}
          name={`tasks.${index}.setup_script`}
        />
      )}
      <Button className="self-start" onClick={onTry} disabled={trial.isRunning || editor.isSaving}>
        <FlaskConical size={16} aria-hidden="true" /> {t.authoring.trial.tryTask}
      </Button>
    </Card>
  );
}

function DeleteTask({ editor, task, index }: { editor: AssessmentEditor; task: TaskDraft; index: number }) {
  const t = useStrings();
  const words = t.authoring.task;
  const toasts = useToasts();
  const undo = useUndo();
  const name = task.title.trim() || words.untitled(index + 1);
  const remove = async (): Promise<void> => {
    const restore = await editor.removeTask(task);
    if (task.id === undefined) toasts.done(words.deleted(name));
    else
      undo(words.deleted(name), `${editor.kind}_task`, task.id, async () => {
        await restore();
        showArrival('task', task.key);
      });
  };
  return (
    <DeleteButton label={words.delete} title={words.deleteTitle(name)} onConfirm={remove}>
      <p>{words.deleteHelp}</p>
      {task.id !== undefined && <p>{t.common.undoHelp}</p>}
    </DeleteButton>
  );
}
