import { Check, Minus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { api } from '../../api/client.ts';
import { ok } from '../../api/problem.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import { Ago } from '../../ui/ago.tsx';
import { classes } from '../../ui/classes.ts';
import { Checkbox, Select } from '../../ui/forms/field.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import type { RoomStudent } from './use-room.ts';

type Task = { task_id: number; title: string };
type State = NonNullable<RoomStudent['task_marks']>[number]['state'];

/** Minutes between two silent checks of a student: the service takes 3 to 60. */
const intervals = [3, 5, 10, 15, 30, 60];
const usualInterval = 5;
/** Minutes without a change in what the checks find, after which a student counts as stuck: a task takes less. */
const stuckMinutes = 15;

/** Whether the silent checks have found the same for long, and not that all is done. */
export function isStuck({ status, task_marks, checked_at, marks_changed_at }: RoomStudent): boolean {
  if (status !== 'in_progress' || !task_marks || !checked_at || !marks_changed_at) return false;
  const unchanged = Date.parse(checked_at) - Date.parse(marks_changed_at);
  return unchanged >= stuckMinutes * 60_000 && task_marks.some(({ state }) => state !== 'passed');
}

/** The tasks that silent checks have looked at, in their order. Attempts can be of several revisions of an exam. */
export function tasksOf(students: readonly RoomStudent[]): Task[] {
  const tasks = new Map<number, Task>();
  for (const { task_marks } of students) for (const task of task_marks ?? []) tasks.set(task.task_id, task);
  return [...tasks.values()];
}

const stateIn = ({ task_marks }: RoomStudent, id: number): State | undefined =>
  task_marks?.find(({ task_id }) => task_id === id)?.state;

/** Whether the newest silent check says that a student has not solved a task. */
export const lacks = (student: RoomStudent, taskId: number): boolean => {
  const state = stateIn(student, taskId);
  return state !== undefined && state !== 'passed';
};

/** Turns the silent checks of a session on and off. */
export function SilentSwitch({ id, minutes }: { id: number; minutes: number | null }) {
  const t = useStrings();
  const toasts = useToasts();
  const [chosen, setChosen] = useState(usualInterval);
  /** What is shown: it follows the room, and a click before the room does. */
  const [wanted, setWanted] = useState(minutes);
  useEffect(() => setWanted(minutes), [minutes]);
  const shown = wanted ?? chosen;
  const params = { path: { id } };
  const send = (next: number | null): void => {
    setWanted(next);
    const request =
      next === null
        ? ok(api.DELETE('/api/exam-sessions/{id}/silent-checks', { params }))
        : ok(api.PUT('/api/exam-sessions/{id}/silent-checks', { params, body: { interval_minutes: next } }));
    void request.catch((error: unknown) => {
      setWanted(minutes);
      toasts.failed(error);
    });
  };
  const choose = (next: number): void => {
    setChosen(next);
    if (wanted !== null) send(next);
  };
  const options = [...new Set([...intervals, shown])].sort((a, b) => a - b);
  return (
    <section aria-label={t.room.silent.title} className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Checkbox
        label={t.room.silent.title}
        checked={wanted !== null}
        onChange={({ target }) => send(target.checked ? shown : null)}
      />
      <Select
        label={t.room.silent.interval}
        isLabelHidden
        className="w-auto!"
        value={`${shown}`}
        options={options.map((count) => ({ value: `${count}`, label: t.room.silent.every(count) }))}
        onChange={({ target }) => choose(Number(target.value))}
      />
      <p className="text-sm text-ink-soft">{wanted === null ? t.room.silent.help : t.room.silent.isOn}</p>
    </section>
  );
}

const marks = {
  passed: 'border-good bg-good-soft text-good',
  failed: 'border-line-strong text-ink-soft',
  none: 'border-dashed border-line-strong text-ink-soft',
};

/** What the newest silent check has found of each task, and when. The tasks of all rows stand below each other. */
export function TaskMarks({ student, tasks }: { student: RoomStudent; tasks: readonly Task[] }) {
  const t = useStrings();
  if (!student.task_marks || student.checked_at === null) return <>–</>;
  return (
    <div className="w-max max-w-64">
      <ol className="flex flex-wrap gap-1">
        {tasks.map(({ task_id, title }, index) => {
          const state = stateIn(student, task_id) ?? 'none';
          const text = `${title}: ${t.room.silent.states[state]}`;
          return (
            <li
              key={task_id}
              title={text}
              className={classes(
                'flex h-6 min-w-6 items-center justify-center rounded border text-xs tabular-nums',
                marks[state],
              )}
            >
              <span className="sr-only">{text}</span>
              <span aria-hidden="true">
                {state === 'passed' ? <Check size={14} /> : state === 'none' ? <Minus size={14} /> : index + 1}
              </span>
            </li>
          );
        })}
      </ol>
      <span className="text-xs text-ink-soft">
        <Ago time={student.checked_at} />
      </span>
    </div>
  );
}

/** How many have solved each task. While one is pressed, the room shows only those who have not. */
export function TaskFilters({
  students,
  tasks,
  task,
  onTask,
}: {
  students: readonly RoomStudent[];
  tasks: readonly Task[];
  task: number | undefined;
  onTask: (task: number | undefined) => void;
}) {
  const t = useStrings();
  return (
    <ol aria-label={t.room.silent.tasks} className="flex flex-wrap gap-2">
      {tasks.map(({ task_id, title }, index) => {
        const all = students.filter((student) => stateIn(student, task_id) !== undefined).length;
        const passed = students.filter((student) => stateIn(student, task_id) === 'passed').length;
        return (
          <li key={task_id}>
            <button
              type="button"
              aria-pressed={task === task_id}
              title={t.room.silent.lacking(title)}
              onClick={() => onTask(task === task_id ? undefined : task_id)}
              className={classes(
                'min-h-8 rounded-full border px-3 text-sm tabular-nums hover:bg-sunken',
                task === task_id && 'border-accent bg-accent-soft font-medium text-ink',
              )}
            >
              {index + 1}: {passed}/{all} <span className="sr-only">{t.room.silent.lacking(title)}</span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}
