import { useQuery } from '@tanstack/react-query';
import { Hourglass } from 'lucide-react';
import type { Kind } from '../api/kinds.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useToasts } from '../ui/toasts.tsx';
import type { Attempt } from './active.ts';
import { attemptQuery, useAttemptActions } from './queries.ts';

/** The place of a queued attempt, and the button that leaves the queue. */
export function QueuePanel({ kind, attempt, onLeave }: { kind: Kind; attempt: Attempt; onLeave: () => void }) {
  const t = useStrings();
  const toasts = useToasts();
  const { abandon } = useAttemptActions(kind);
  const { id, position = 1, estimated_seconds = 1 } = attempt;
  const leave = async (): Promise<void> => {
    onLeave();
    // Its error is shown below.
    const left = await abandon.mutateAsync(id).catch(() => undefined);
    if (left) toasts.done(t.attempts.queue.left);
  };
  return (
    <section className="flex flex-col gap-3 rounded-md bg-info-soft p-3 text-sm">
      <h3 className="flex items-center gap-2 font-medium text-info">
        <Hourglass size={16} aria-hidden="true" /> {t.attempts.queue.title}
      </h3>
      <p role="status">
        <strong>{t.attempts.queue.place(position)}</strong> {t.attempts.queue.wait(estimated_seconds)}
      </p>
      <p>{t.attempts.queue.help}</p>
      <Button size="small" isBusy={abandon.isPending} onClick={() => void leave()}>
        {t.attempts.queue.leave}
      </Button>
      {abandon.error && <ProblemNote error={abandon.error} />}
    </section>
  );
}

/** Why an attempt left the queue without its user. */
export function QueueEnded({ kind, attemptId }: { kind: Kind; attemptId: number }) {
  const t = useStrings();
  const { data } = useQuery(attemptQuery(kind, attemptId));
  if (data?.status !== 'abandoned') return null;
  return (
    <p role="alert" className="rounded-md border border-warn bg-warn-soft p-3 text-sm">
      {data.grading_error === null ? t.attempts.queue.ended : t.attempts.queue.failed}
    </p>
  );
}
