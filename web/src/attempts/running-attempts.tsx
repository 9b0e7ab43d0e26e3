import { useQuery } from '@tanstack/react-query';
import { FlaskConical, GraduationCap } from 'lucide-react';
import { useStrings } from '../strings/use-strings.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Step } from '../ui/step.tsx';
import { TimeLeft } from '../ui/time/time-left.tsx';
import { activeQuery } from './active.ts';

/** Milliseconds between two polls of the exam's attempt: its time may run out, or it may be submitted in another window. */
const examInterval = 30_000;

/** The frame of the page has just asked for it. */
const useExam = () => useQuery({ ...activeQuery('exam'), refetchInterval: examInterval });
const useLaboratories = () => useQuery({ ...activeQuery('laboratory'), staleTime: 0 });

/** The user's attempts that run or are queued, with the time that is left. */
export function RunningAttempts() {
  const { next: words } = useStrings().dashboard;
  const exams = useExam().data ?? [];
  const laboratories = useLaboratories().data ?? [];
  const attempts = [
    ...exams.map((attempt) => ({ kind: 'exam' as const, ...attempt })),
    ...laboratories.map((attempt) => ({ kind: 'laboratory' as const, ...attempt })),
  ];
  return attempts.map(({ kind, id, assessment_id, title, status, expires_at }, index) => {
    if (assessment_id === null) return null;
    const isExam = kind === 'exam';
    return (
      <Step
        key={`${kind}-${id}`}
        icon={isExam ? GraduationCap : FlaskConical}
        isUrgent={isExam}
        label={words[kind]}
        title={title}
        action={
          <ButtonLink
            to={isExam ? '/exams/$assessmentId' : '/laboratories/$assessmentId'}
            params={{ assessmentId: String(assessment_id) }}
            look={index === 0 ? 'primary' : 'plain'}
          >
            {isExam ? words.goOnExam : words.goOnLaboratory}
          </ButtonLink>
        }
      >
        {status === 'queued' ? words.queued : <TimeLeft until={expires_at} />}
      </Step>
    );
  });
}

/** Whether there are any. */
export function useHasRunning(): boolean {
  const exams = useExam();
  const laboratories = useLaboratories();
  return (exams.data?.length ?? 0) > 0 || (laboratories.data?.length ?? 0) > 0;
}
