import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Play, Plus } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useId, useState } from 'react';
import { HandNote, useHand } from '../help/hands.tsx';
import { neededPart } from '../routing/needed-part.ts';
import { type Container, limitsQuery, sandboxesQuery } from '../sandboxes/queries.ts';
import { useReset } from '../sandboxes/reset-button.tsx';
import { useStrings } from '../strings/use-strings.tsx';
import type { TerminalState } from '../terminal/connection.ts';
import { Button, longText } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Loading } from '../ui/states.tsx';
import { canStart, fits } from './lesson-sandbox.ts';
import { OtherSandboxNote, SandboxChoice, SandboxName, useNamed } from './sandbox-bar.tsx';
import type { LessonTerminal } from './use-lesson-terminal.ts';

const TerminalPane = lazy(() => neededPart(async () => (await import('../terminal/terminal-pane.tsx')).TerminalPane));

/** States after which the sandbox has to be started or created again. */
const lost: readonly TerminalState[] = ['gone', 'notRunning', 'notFound'];

/** The terminal with the name of its sandbox, or what has to happen before there is one. */
export function BesideLesson({ terminal }: { terminal: LessonTerminal }) {
  const words = useStrings().lessonTerminal;
  const { container, error, template } = terminal;
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
  return <Running terminal={terminal} container={container} fallback={preparing} />;
}

function Running({
  terminal,
  container,
  fallback,
}: {
  terminal: LessonTerminal;
  container: Container;
  fallback: ReactNode;
}) {
  const words = useStrings().lessonTerminal;
  const { action, question } = useReset(container, ({ id }) => terminal.choose(id));
  const { lessonId } = useParams({ from: '/lessons/$lessonId' });
  const hand = useHand({ container_id: container.id, theme_id: Number(lessonId) });
  return (
    <div className="flex h-full min-h-0 flex-col">
      <OtherSandboxNote terminal={terminal} />
      <HandNote containerId={container.id} />
      {lost.includes(terminal.state) && (
        <p className="flex flex-wrap items-center justify-between gap-3 border-b bg-warn-soft px-3 py-2 text-sm">
          {words.lost}
          <Button size="small" onClick={terminal.startAgain}>
            {words.again}
          </Button>
        </p>
      )}
      <div className="min-h-0 flex-1">
        <Suspense fallback={fallback}>
          <TerminalPane
            // A reset sandbox has other shells.
            key={`${container.id} ${container.created_at}`}
            ref={terminal.handle}
            containerId={container.id}
            lead={<SandboxName terminal={terminal} container={container} />}
            actions={[action, ...hand.actions]}
            onState={terminal.onState}
          />
        </Suspense>
      </div>
      {question}
      {hand.question}
    </div>
  );
}

/** Asks before commands run in a sandbox that is not the lesson's. */
export function OtherSandboxQuestion({ terminal }: { terminal: LessonTerminal }) {
  const words = useStrings().lessonTerminal;
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

/** What one click would start or create for the lesson, and what that takes of the user's limit. */
function SandboxOffer({ terminal }: { terminal: LessonTerminal }) {
  const words = useStrings().lessonTerminal;
  const { data: sandboxes } = useQuery(sandboxesQuery);
  const { data: limits } = useQuery(limitsQuery);
  const { isQueued, wanted = null } = terminal;
  const stopped = sandboxes?.find((sandbox) => fits(sandbox, wanted) && canStart(sandbox));
  return (
    <section aria-label={words.title} className="flex flex-col items-start gap-3 p-4">
      {sandboxes && limits ? (
        <>
          {stopped ? (
            <StartOffer terminal={terminal} stopped={stopped} />
          ) : (
            <CreateOffer terminal={terminal} sandboxes={sandboxes} limit={limits.sandboxes} />
          )}
          {isQueued && <p className="text-sm text-ink-soft">{words.queued}</p>}
          <SandboxChoice terminal={terminal} {...(stopped ? { shown: stopped } : {})} />
        </>
      ) : (
        <Loading rows={2} className="h-5" />
      )}
    </section>
  );
}

function StartOffer({ terminal: { openRight, template }, stopped }: { terminal: LessonTerminal; stopped: Container }) {
  const words = useStrings().lessonTerminal;
  const name = useNamed()(stopped);
  return (
    <>
      <p role="status">
        {template && words.uses(template.name)} {words.stopped(name)} {words.startCost}
      </p>
      <Button look="primary" className={longText} onClick={() => openRight({ isAgreed: true })}>
        <Play size={16} aria-hidden="true" className="shrink-0" /> {words.start(name)}
      </Button>
    </>
  );
}

function CreateOffer({
  terminal: { openRight, template },
  sandboxes,
  limit,
}: {
  terminal: LessonTerminal;
  sandboxes: readonly Container[];
  limit: number;
}) {
  const t = useStrings();
  const words = t.lessonTerminal;
  const named = useNamed();
  const id = useId();
  const [removeId, setRemoveId] = useState<number>();
  const isFull = sandboxes.length >= limit;
  const create = template ? t.sandboxes.createFrom(template.name) : words.create;
  const removed = isFull ? sandboxes.find((sandbox) => sandbox.id === removeId) : undefined;
  return (
    <>
      <p role="status">
        {template ? words.noneOf(template.name) : words.none}{' '}
        {isFull ? words.full(limit) : words.createCost(sandboxes.length + 1, limit)}
      </p>
      {isFull && sandboxes.length > 0 && (
        <div className="flex max-w-full flex-col gap-1 text-sm">
          <label htmlFor={id} className="font-medium">
            {words.removed}
          </label>
          <select
            id={id}
            value={removed ? `${removed.id}` : ''}
            onChange={({ target }) => setRemoveId(Number(target.value))}
            className="min-h-9 max-w-full rounded-md border border-line-strong bg-surface px-2 text-ink"
          >
            <option value="" disabled>
              {words.chooseRemoved}
            </option>
            {sandboxes.map((sandbox) => (
              <option key={sandbox.id} value={sandbox.id}>
                {named(sandbox)} · {t.sandboxes.statuses[sandbox.status]}
              </option>
            ))}
          </select>
        </div>
      )}
      <Button
        look={isFull ? 'danger' : 'primary'}
        className={longText}
        disabled={isFull && !removed}
        onClick={() => openRight({ isAgreed: true, removeId: removed?.id })}
      >
        <Plus size={16} aria-hidden="true" className="shrink-0" />{' '}
        {removed ? words.replace(named(removed), create) : create}
      </Button>
    </>
  );
}
