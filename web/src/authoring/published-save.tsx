import { queryOptions, useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleX, LoaderCircle, Users } from 'lucide-react';
import { useEffect, useState } from 'react';
import { api } from '../api/client.ts';
import type { Kind } from '../api/kinds.ts';
import { okPage } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { changedChecks, scriptsOf } from './draft.ts';
import { callsOf, type TaskTrial } from './subject-calls.ts';
import { useProblemWords } from './task-trial.tsx';
import type { SubjectEditor } from './use-subject-editor.ts';

const activeStatuses = ['queued', 'in_progress', 'grading'] as const;

/** The number of attempts that have not ended. */
const activeCountQuery = (kind: Kind, id: number) =>
  queryOptions({
    queryKey: ['authoring', 'active-attempts', kind, id],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<number> => {
      const subject = kind === 'exam' ? { exam_id: id } : { laboratory_id: id };
      const counts = await Promise.all(
        activeStatuses.map(async (status) => {
          const params = { query: { ...subject, status, page_size: 1 } };
          return (await okPage(api.GET('/api/instructor/attempts', { params, signal }))).total;
        }),
      );
      return counts.reduce((sum, count) => sum + count, 0);
    },
  });

type Outcome = { trials: TaskTrial[]; error?: unknown };

/** Before changed checks of something published are saved: tries them as they are typed, and reports which attempts they affect. */
export function PublishedSave({
  editor: { kind, saved, draft },
  onClose,
  onSave,
}: {
  editor: SubjectEditor;
  onClose: () => void;
  onSave: () => void;
}) {
  const t = useStrings();
  const words = t.authoring.published;
  const active = useQuery(activeCountQuery(kind, saved.id));
  const [outcome, setOutcome] = useState<Outcome>();
  const changed = changedChecks(draft, saved);
  const isUntried = changed.some(({ id }) => id === undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the draft cannot change below the dialog
  useEffect(() => {
    const controller = new AbortController();
    const trials: TaskTrial[] = [];
    const tryAll = async (): Promise<void> => {
      for (const task of changed) {
        if (task.id === undefined) continue;
        const report = await callsOf[kind].try(saved.id, task.id, controller.signal, scriptsOf(task));
        trials.push(...report.tasks);
      }
    };
    tryAll().then(
      () => setOutcome({ trials }),
      (error: unknown) => controller.signal.aborted || setOutcome({ trials, error }),
    );
    return () => controller.abort();
  }, []);
  const isFine = outcome?.error === undefined && !isUntried && outcome?.trials.every(({ problem }) => problem === null);
  return (
    <Dialog title={words.title} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <div className="flex flex-col gap-4 text-sm">
        <p className="flex items-start gap-2">
          <Users size={18} aria-hidden="true" className="mt-0.5 shrink-0 text-ink-soft" />
          <span>
            <strong>{active.data === undefined ? words.counting : words.active(active.data)}</strong>{' '}
            {active.data !== 0 && words.effect}
          </span>
        </p>
        {active.error && <ProblemNote error={active.error} retry={() => void active.refetch()} />}
        <div role="status" className="flex flex-col gap-2">
          {outcome ? <Trials trials={outcome.trials} /> : <Running />}
          {outcome && isUntried && <p className="text-warn">{words.untried}</p>}
        </div>
        {outcome?.error !== undefined && (
          <>
            <p className="font-medium text-warn">{words.failed}</p>
            <ProblemNote error={outcome.error} />
          </>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button
            look={isFine ? 'primary' : 'danger'}
            disabled={outcome === undefined || active.isPending}
            onClick={onSave}
          >
            {outcome === undefined || isFine ? t.common.save : words.saveAnyway}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function Running() {
  const t = useStrings();
  return (
    <p className="flex items-center gap-2 rounded-md bg-info-soft px-3 py-2 text-info">
      <LoaderCircle size={16} aria-hidden="true" className="shrink-0 animate-spin" /> {t.authoring.published.trying}
    </p>
  );
}

function Trials({ trials }: { trials: TaskTrial[] }) {
  const t = useStrings();
  const problemWords = useProblemWords();
  return (
    <ul className="flex flex-col gap-2">
      {trials.map((trial) => {
        const isGood = trial.problem === null;
        const Sign = isGood ? CircleCheck : CircleX;
        return (
          <li key={trial.task_id} className={`rounded-md px-3 py-2 ${isGood ? 'bg-good-soft' : 'bg-bad-soft'}`}>
            <p className="flex items-center gap-2 font-medium">
              <Sign size={16} aria-hidden="true" className={`shrink-0 ${isGood ? 'text-good' : 'text-bad'}`} />
              {trial.title}
            </p>
            <p className="mt-1">{isGood ? t.authoring.trial.allGood : problemWords(trial)}</p>
          </li>
        );
      })}
    </ul>
  );
}
