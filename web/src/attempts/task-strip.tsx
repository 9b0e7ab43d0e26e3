import { Check, Flag, Lock } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import type { Task } from '../teaching-model/assessments.ts';
import { classes } from '../ui/classes.ts';
import type { Marks } from './marks.ts';

/** The keys that move through the strip, and what each makes of a place in it. */
const steps: Record<string, (place: number, last: number) => number> = {
  ArrowLeft: (place) => place - 1,
  ArrowRight: (place) => place + 1,
  Home: () => 0,
  End: (_place, last) => last,
};

/**
 * The tasks in a row, with what is done and what the student wants to look at again. One of them is in the order of Tab; the arrow keys,
 * Home and End lead to the others.
 */
export function TaskStrip({
  tasks,
  currentId,
  flags,
  isDone,
  doneText,
  onGo,
}: {
  tasks: readonly Task[];
  /** The task that the student was at last. */
  currentId: number | undefined;
  flags: Marks;
  isDone: (task: Task) => boolean;
  /** What it is called that a task is done. */
  doneText: string;
  onGo: (taskId: number) => void;
}) {
  const { attempts: words } = useStrings();
  const list = useRef<HTMLOListElement>(null);
  const inTabOrder = tasks.some(({ id }) => id === currentId) ? currentId : tasks[0]?.id;
  const move = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const place = buttons.indexOf(event.target as HTMLButtonElement);
    const next = steps[event.key]?.(place, buttons.length - 1);
    if (next === undefined) return;
    event.preventDefault();
    buttons[next]?.focus();
  };
  return (
    <nav aria-label={words.strip} className="min-w-0 max-lg:order-last max-lg:basis-full lg:max-w-1/2">
      <ol ref={list} onKeyDown={move} className="flex gap-1 overflow-x-auto p-0.5">
        {tasks.map((task, index) => {
          const { id, title, is_locked } = task;
          const isFlagged = flags.has(id);
          const isMarkedDone = isDone(task);
          const facts = [isMarkedDone && doneText, isFlagged && words.flagged, is_locked && words.lockedShort];
          return (
            <li key={id}>
              <button
                type="button"
                tabIndex={id === inTabOrder ? 0 : -1}
                aria-current={id === currentId ? 'true' : undefined}
                aria-label={[words.stripTask(index + 1, tasks.length, title), ...facts].filter(Boolean).join('. ')}
                title={title}
                onClick={() => onGo(id)}
                className={classes(
                  'relative flex min-h-8 min-w-9 items-center justify-center gap-0.5 rounded-md border px-1.5 text-sm tabular-nums hover:bg-sunken',
                  'aria-[current]:border-accent aria-[current]:bg-accent-soft aria-[current]:font-semibold',
                  isMarkedDone && 'text-ink-soft',
                )}
              >
                {index + 1}
                {isMarkedDone && <Check size={13} aria-hidden="true" className="text-good" />}
                {is_locked && <Lock size={12} aria-hidden="true" />}
                {isFlagged && <Flag size={13} aria-hidden="true" className="fill-current text-warn" />}
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
