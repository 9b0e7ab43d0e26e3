import { lazy, type ReactNode, Suspense } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import type { TerminalState } from '../terminal/connection.ts';
import { Button } from '../ui/button.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { SplitView } from '../ui/split-view.tsx';
import { Loading } from '../ui/states.tsx';
import type { LessonTerminal } from './use-lesson-terminal.ts';

const TerminalPane = lazy(async () => ({ default: (await import('../terminal/terminal-pane.tsx')).TerminalPane }));

/** States after which the sandbox has to be started or created again. */
const lost: readonly TerminalState[] = ['gone', 'notRunning', 'notFound'];

/** The text, and the terminal beside or below it while it is open. */
export function LessonSplit({ text, terminal }: { text: ReactNode; terminal: LessonTerminal }) {
  const t = useStrings();
  return (
    <SplitView
      name="lesson"
      label={t.common.moveBorder}
      first={text}
      {...(terminal.isOpen ? { second: <Beside terminal={terminal} /> } : {})}
    />
  );
}

function Beside({ terminal }: { terminal: LessonTerminal }) {
  const t = useStrings();
  const { container, error, state } = terminal;
  if (error) {
    return (
      <section aria-label={t.lessons.terminal.title} className="flex flex-col gap-3 p-4">
        <p className="font-medium">{t.lessons.terminal.failed}</p>
        <ProblemNote error={error} retry={terminal.prepareAgain} />
      </section>
    );
  }
  const preparing = (
    <section aria-label={t.lessons.terminal.title} className="flex flex-col gap-4 p-4">
      <p role="status" className="text-sm text-ink-soft">
        {t.lessons.terminal.preparing}
      </p>
      <Loading rows={4} className="h-5" />
    </section>
  );
  if (!container || terminal.isPending) return preparing;
  return (
    <div className="flex h-full min-h-0 flex-col">
      {lost.includes(state) && (
        <p className="flex flex-wrap items-center justify-between gap-3 border-b bg-warn-soft px-3 py-2 text-sm">
          {t.lessons.terminal.lost}
          <Button size="small" onClick={terminal.prepareAgain}>
            {t.lessons.terminal.again}
          </Button>
        </p>
      )}
      <div className="min-h-0 flex-1">
        <Suspense fallback={preparing}>
          <TerminalPane ref={terminal.handle} containerId={container.id} onState={terminal.onState} />
        </Suspense>
      </div>
    </div>
  );
}
