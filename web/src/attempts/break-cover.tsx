import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Coffee, Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useSecondsLeft } from '../ui/time/use-seconds-left.ts';
import type { Attempt } from './active.ts';

/** The work of a student who may take breaks. It is covered during a break: the clock is stopped. */
export function BreakCover({
  attempt: { id, break_seconds_left: left, break_ends_at = null, paused_at = null },
  children,
}: {
  attempt: Attempt;
  children: ReactNode;
}) {
  const t = useStrings();
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: async (isStart: boolean) => {
      const params = { params: { path: { id } } };
      const path = '/api/exams/attempts/{id}/break';
      return isStart ? await ok(api.POST(path, params)) : await ok(api.DELETE(path, params));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['attempts', 'exam'] }),
  });
  const mayStart = left !== null && left !== undefined && left > 0 && paused_at === null;
  return (
    <>
      {(mayStart || change.error) && break_ends_at === null && (
        <div className="flex flex-col gap-2 border-b bg-surface px-4 py-2 text-sm">
          {change.error && <ProblemNote error={change.error} />}
          {mayStart && (
            <p className="flex flex-wrap items-center justify-between gap-2">
              {t.attempts.breakLeft(left)}
              <Button size="small" isBusy={change.isPending} onClick={() => change.mutate(true)}>
                <Coffee size={16} aria-hidden="true" /> {t.attempts.startBreak}
              </Button>
            </p>
          )}
        </div>
      )}
      <div className="relative min-h-0 flex-1">
        {/* The terminal keeps its size and its connection. */}
        <div className={classes('h-full', break_ends_at !== null && 'invisible')}>{children}</div>
        {break_ends_at !== null && (
          <Panel
            endsAt={break_ends_at}
            error={change.error}
            isBusy={change.isPending}
            onEnd={() => change.mutate(false)}
          />
        )}
      </div>
    </>
  );
}

function Panel(props: { endsAt: string; error: unknown; isBusy: boolean; onEnd: () => void }) {
  const { endsAt, error, isBusy, onEnd } = props;
  const t = useStrings();
  const format = useFormat();
  const left = useSecondsLeft(endsAt) ?? 0;
  return (
    <section
      aria-labelledby="break-title"
      className="absolute inset-0 flex flex-col items-center justify-center gap-4 overflow-y-auto p-6 text-center"
    >
      <Coffee size={32} aria-hidden="true" className="text-ink-soft" />
      <h2 id="break-title" role="status" className="text-lg font-semibold">
        {t.attempts.onBreak}
      </h2>
      {error !== null && <ProblemNote error={error} />}
      <p>{left > 0 ? t.attempts.breakUntil(format.clock(endsAt), left) : t.attempts.breakOver}</p>
      <p className="max-w-prose text-sm text-ink-soft">{t.attempts.breakHelp}</p>
      <Button look="primary" isBusy={isBusy} onClick={onEnd}>
        <Play size={16} aria-hidden="true" /> {t.attempts.endBreak}
      </Button>
    </section>
  );
}
