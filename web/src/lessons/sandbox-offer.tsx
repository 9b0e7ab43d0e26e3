import { useQuery } from '@tanstack/react-query';
import { Play, Plus } from 'lucide-react';
import { useId, useState } from 'react';
import { type Container, limitsQuery, sandboxesQuery } from '../sandboxes/queries.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Loading } from '../ui/states.tsx';
import { canStart, fits } from './lesson-sandbox.ts';
import { SandboxChoice, useNamed } from './sandbox-bar.tsx';
import type { LessonTerminal } from './use-lesson-terminal.ts';

/** What one click would start or create for the lesson, and what that takes of the user's limit. */
export function SandboxOffer({ terminal }: { terminal: LessonTerminal }) {
  const words = useStrings().lessons.terminal;
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
  const words = useStrings().lessons.terminal;
  const name = useNamed()(stopped);
  return (
    <>
      <p role="status">
        {template && words.uses(template.name)} {words.stopped(name)} {words.startCost}
      </p>
      <Button look="primary" onClick={() => openRight({ isAgreed: true })}>
        <Play size={16} aria-hidden="true" /> {words.start(name)}
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
  const words = t.lessons.terminal;
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
        disabled={isFull && !removed}
        onClick={() => openRight({ isAgreed: true, removeId: removed?.id })}
      >
        <Plus size={16} aria-hidden="true" /> {removed ? words.replace(named(removed), create) : create}
      </Button>
    </>
  );
}
