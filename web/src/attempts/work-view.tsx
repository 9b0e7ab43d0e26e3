import { Tabs } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { SplitView, useIsWide } from '../ui/split-view.tsx';

const tab =
  'min-h-11 flex-1 border-b-2 border-transparent px-3 text-sm text-ink-soft data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink focus-visible:-outline-offset-2';

export type Part = 'tasks' | 'terminal';

/**
 * Tasks beside the terminal, below what there is to say about the attempt. A phone shows one of the two at a time, and the other keeps its
 * state. Notes never change the size of the terminal: on a phone they lie above it. Without a terminal the tasks have the page.
 */
export function WorkView({
  notes,
  tasks,
  terminal,
  part,
  onPart,
}: {
  notes: ReactNode;
  tasks: ReactNode;
  /** False where the attempt needs no machine. */
  terminal: ReactNode;
  /** What a phone shows. */
  part: Part;
  onPart: (part: Part) => void;
}) {
  const t = useStrings();
  const isWide = useIsWide();
  // A hidden terminal has no size for its shell.
  const [isOpened, setOpened] = useState(false);
  if (isWide || terminal === false) {
    const first = (
      <div className="flex h-full flex-col">
        {notes}
        <div data-scroll-restoration-id="tasks" className="min-h-0 flex-1 overflow-y-auto">
          {terminal === false ? <div className="mx-auto max-w-4xl">{tasks}</div> : tasks}
        </div>
      </div>
    );
    if (terminal === false) return first;
    return <SplitView name="attempt" label={t.common.moveBorder} first={first} second={terminal} />;
  }
  return (
    <Tabs.Root
      value={part}
      onValueChange={(value) => {
        if (value === 'terminal') setOpened(true);
        onPart(value as Part);
      }}
      className="flex h-full flex-col"
    >
      <Tabs.List aria-label={t.attempts.tasks} className="flex shrink-0 border-b bg-surface">
        <Tabs.Trigger value="tasks" className={tab}>
          {t.attempts.tasks}
        </Tabs.Trigger>
        <Tabs.Trigger value="terminal" className={tab}>
          {t.attempts.terminal}
        </Tabs.Trigger>
      </Tabs.List>
      <div className="relative z-20 h-0">
        <div className="absolute inset-x-0 top-0 shadow-md">{notes}</div>
      </div>
      <Tabs.Content
        value="tasks"
        forceMount
        data-scroll-restoration-id="tasks"
        className="min-h-0 flex-1 overflow-y-auto data-[state=inactive]:hidden"
      >
        {tasks}
      </Tabs.Content>
      <Tabs.Content value="terminal" forceMount className="min-h-0 flex-1 data-[state=inactive]:hidden">
        {isOpened && terminal}
      </Tabs.Content>
    </Tabs.Root>
  );
}
