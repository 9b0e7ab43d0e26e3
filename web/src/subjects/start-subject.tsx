import { useQueryClient } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { isRefusal, noContainerCodes } from '../api/problem.ts';
import { type Attempt, activeQuery, useAttemptActions } from '../attempts/queries.ts';
import type { Subject } from '../attempts/subject.ts';
import { navigate } from '../routing/place.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useToasts } from '../ui/toasts.tsx';

/** The button that starts an exam after a confirmation, or the reason why it cannot be started now. */
export function StartExam({ exam, other }: { exam: Subject; other: Attempt | undefined }) {
  const t = useStrings();
  const [isAsking, setAsking] = useState(false);
  const start = useStart(exam);
  if (exam.task_count === 0) return <p className="text-sm text-ink-soft">{t.exams.noTasks}</p>;
  if (other)
    return (
      <div className="flex flex-col gap-3 rounded-md bg-warn-soft p-3 text-sm">
        <p>{t.exams.otherActive(other.title)}</p>
        {other.subject_id !== null && (
          <ButtonLink to="/exams/$subjectId" params={{ subjectId: `${other.subject_id}` }}>
            {t.attempts.goOn}
          </ButtonLink>
        )}
      </div>
    );
  return (
    <>
      <Button look="primary" onClick={() => setAsking(true)}>
        <Play size={16} aria-hidden="true" /> {t.exams.start}
      </Button>
      <Confirm
        title={t.exams.startTitle(exam.title)}
        action={t.attempts.begin}
        look="primary"
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={start}
      >
        <p>{t.exams.startHelp(t.attempts.minutes(exam.time_limit_minutes ?? 0))}</p>
        <p>{t.exams.recorded}</p>
      </Confirm>
    </>
  );
}

/** Starts an attempt. Where one is already active, of this exam or another, opens it. */
function useStart(exam: Subject): () => Promise<void> {
  const t = useStrings();
  const toasts = useToasts();
  const client = useQueryClient();
  const { start } = useAttemptActions('exam');
  return async () => {
    try {
      await start.mutateAsync(exam.id);
    } catch (error) {
      if (isRefusal(error, ...noContainerCodes)) throw error.saying(t.attempts.noContainer);
      const [active] = isRefusal(error, 'attempt_active')
        ? await client.fetchQuery({ ...activeQuery('exam'), staleTime: 0 })
        : [];
      if (!active) throw error;
      toasts.tell(active.subject_id === exam.id ? t.exams.led : t.exams.otherActive(active.title));
      if (active.subject_id !== null)
        navigate({ to: '/exams/$subjectId', params: { subjectId: `${active.subject_id}` } });
    }
  };
}

/** The button that starts or resumes a laboratory. */
export function StartLaboratory({ laboratory: { id, task_count } }: { laboratory: Subject }) {
  const t = useStrings();
  const { start } = useAttemptActions('laboratory');
  if (task_count === 0) return <p className="text-sm text-ink-soft">{t.laboratories.noTasks}</p>;
  const { error } = start;
  const shown = isRefusal(error, ...noContainerCodes) ? error.saying(t.attempts.noContainer) : error;
  return (
    <>
      <Button look="primary" isBusy={start.isPending} onClick={() => start.mutate(id)}>
        <Play size={16} aria-hidden="true" /> {start.isPending ? t.attempts.starting : t.laboratories.start}
      </Button>
      {shown && <ProblemNote error={shown} />}
    </>
  );
}
