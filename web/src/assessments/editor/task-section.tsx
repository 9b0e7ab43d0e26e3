import { useEffect, useState } from 'react';
import { useStrings } from '../../strings/use-strings.tsx';
import { showArrival } from '../../ui/lists/arrivals.ts';
import { Empty } from '../../ui/states.tsx';
import { TaskForm } from './task-form.tsx';
import { TaskList } from './task-list.tsx';
import type { AssessmentEditor } from './use-editor.ts';
import type { TrialRun } from './use-trial.ts';

/** The list of tasks, and the form of the chosen one. */
export function TaskSection({
  editor,
  trial,
  onTryTask,
}: {
  editor: AssessmentEditor;
  trial: TrialRun;
  onTryTask: (key: string) => void;
}) {
  const t = useStrings();
  const { tasks } = editor.draft;
  const [chosen, setChosen] = useState(tasks[0]?.key);
  const { form, refusals } = editor;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a refusal shows another task
  useEffect(() => {
    const { errors } = form.formState;
    const hasProblem = (_task: unknown, index: number): boolean => errors.tasks?.[index] !== undefined;
    if (refusals > 0 && !tasks.some((task, index) => task.key === chosen && hasProblem(task, index))) {
      setChosen((shown) => tasks.find(hasProblem)?.key ?? shown);
    }
  }, [refusals]);
  // After the chosen task was deleted the first one is shown.
  const index = Math.max(
    0,
    tasks.findIndex(({ key }) => key === chosen),
  );
  const task = tasks[index];
  const add = (): void => {
    const key = editor.addTask();
    setChosen(key);
    showArrival('task', key);
  };
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-lg font-semibold">{t.authoring.assessment.tasks}</h2>
      <div className="grid items-start gap-4 lg:grid-cols-[18rem_1fr]">
        <TaskList editor={editor} chosen={task?.key} onChoose={setChosen} onAdd={add} />
        {task ? (
          <TaskForm key={task.key} {...{ editor, task, index, trial }} onTry={() => onTryTask(task.key)} />
        ) : (
          <Empty title={t.authoring.task.emptyTitle}>{t.authoring.task.emptyHelp}</Empty>
        )}
      </div>
    </section>
  );
}
