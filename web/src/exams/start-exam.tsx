import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { isRefusal, noContainerCodes } from '../api/problem.ts';
import { type Attempt, activeQuery, useAttemptActions } from '../attempts/queries.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { Button, buttonClasses } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { useToasts } from '../ui/toasts.tsx';
import type { Exam } from './queries.ts';

/** The button that starts an exam, once that is confirmed; or why it cannot be started now. */
export function StartExam({ exam, other }: { exam: Exam; other: Attempt | undefined }) {
  const t = useStrings();
  const [isAsking, setAsking] = useState(false);
  const start = useStart(exam);
  if (exam.task_count === 0) return <p className="text-sm text-ink-soft">{t.exams.noTasks}</p>;
  if (other)
    return (
      <div className="flex flex-col gap-3 rounded-md bg-warn-soft p-3 text-sm">
        <p>{t.exams.otherActive(other.title)}</p>
        {other.subject_id !== null && (
          <Link to="/exams/$examId" params={{ examId: `${other.subject_id}` }} className={buttonClasses('primary')}>
            {t.attempts.goOn}
          </Link>
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
        <p>{t.exams.startHelp(t.attempts.minutes(exam.time_limit_minutes))}</p>
        <p>{t.exams.recorded}</p>
      </Confirm>
    </>
  );
}

/** Starts; where an attempt is active already, of this exam or another, leads to it. */
function useStart(exam: Exam): () => Promise<void> {
  const t = useStrings();
  const toasts = useToasts();
  const navigate = useNavigate();
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
        await navigate({ to: '/exams/$examId', params: { examId: `${active.subject_id}` } });
    }
  };
}
