import { lazy, Suspense } from 'react';
import { neededPart } from '../routing/needed-part.ts';
import { useStrings } from '../strings/use-strings.tsx';
import type { TerminalState } from '../terminal/connection.ts';
import { Button } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Loading } from '../ui/states.tsx';
import { SandboxBar, SandboxChoice } from './sandbox-bar.tsx';
import { SandboxOffer } from './sandbox-offer.tsx';
import type { LessonTerminal } from './use-lesson-terminal.ts';

const TerminalPane = lazy(() => neededPart(async () => (await import('../terminal/terminal-pane.tsx')).TerminalPane));

/** States after which the sandbox has to be started or created again. */
const lost: readonly TerminalState[] = ['gone', 'notRunning', 'notFound'];

/** The terminal with the name of its sandbox, or what has to happen before there is one. */
export function BesideLesson({ terminal }: { terminal: LessonTerminal }) {
  const words = useStrings().lessons.terminal;
  const { container, error, state, template } = terminal;
  if (error) {
    return (
      <section aria-label={words.title} className="flex flex-col items-start gap-3 p-4">
        <p className="font-medium">{words.failed}</p>
        <ProblemNote error={error} retry={terminal.retry} />
        <SandboxChoice terminal={terminal} />
        <ButtonLink to="/sandboxes" size="small">
          {words.toSandboxes}
        </ButtonLink>
      </section>
    );
  }
  const preparing = (
    <section aria-label={words.title} className="flex flex-col gap-4 p-4">
      <p role="status" className="text-sm text-ink-soft">
        {template ? words.preparingNamed(template.name) : words.preparing}
      </p>
      <Loading rows={4} className="h-5" />
    </section>
  );
  if (terminal.isPending || container === undefined) return preparing;
  if (container === null) return <SandboxOffer terminal={terminal} />;
  return (
    <div className="flex h-full min-h-0 flex-col">
      <SandboxBar terminal={terminal} container={container} />
      {lost.includes(state) && (
        <p className="flex flex-wrap items-center justify-between gap-3 border-b bg-warn-soft px-3 py-2 text-sm">
          {words.lost}
          <Button size="small" onClick={terminal.startAgain}>
            {words.again}
          </Button>
        </p>
      )}
      <div className="min-h-0 flex-1">
        <Suspense fallback={preparing}>
          <TerminalPane
            // A reset sandbox has other shells.
            key={`${container.id} ${container.created_at}`}
            ref={terminal.handle}
            containerId={container.id}
            onState={terminal.onState}
          />
        </Suspense>
      </div>
    </div>
  );
}

/** Asks before commands run in a sandbox that is not the lesson's. */
export function OtherSandboxQuestion({ terminal }: { terminal: LessonTerminal }) {
  const words = useStrings().lessons.terminal;
  const { container, template } = terminal;
  return (
    <Confirm
      title={words.runTitle}
      action={words.runAnyway}
      look="primary"
      isOpen={terminal.isQuestion}
      onOpenChange={(isOpen) => !isOpen && terminal.closeQuestion()}
      onConfirm={async () => terminal.runAnyway()}
    >
      {container && <p>{words.runIn(container.name)}</p>}
      <p>{template ? words.otherThan(template.name) : words.unavailable}</p>
    </Confirm>
  );
}
