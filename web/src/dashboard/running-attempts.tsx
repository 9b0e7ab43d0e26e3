import { useQuery } from '@tanstack/react-query';
import { FlaskConical, GraduationCap } from 'lucide-react';
import { useStrings } from '../strings/use-strings.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { activeExamQuery, activeLaboratoriesQuery } from './queries.ts';
import { Step } from './step.tsx';
import { TimeLeft } from './time-left.tsx';

/** The user's attempts that run or are queued, with the time that is left. */
export function RunningAttempts() {
  const { next: words } = useStrings().dashboard;
  const exam = useQuery(activeExamQuery);
  const laboratories = useQuery(activeLaboratoriesQuery);
  return (
    <>
      {exam.data && exam.data.exam_id !== null && (
        <Step
          icon={GraduationCap}
          isUrgent
          label={words.exam}
          title={exam.data.title}
          action={
            <ButtonLink to="/exams/$subjectId" params={{ subjectId: String(exam.data.exam_id) }}>
              {words.goOnExam}
            </ButtonLink>
          }
        >
          {exam.data.status === 'queued' ? words.queued : <TimeLeft until={exam.data.expires_at} />}
        </Step>
      )}
      {laboratories.data?.map(
        ({ id, laboratory_id, title, status, expires_at }) =>
          laboratory_id !== null && (
            <Step
              key={id}
              icon={FlaskConical}
              label={words.laboratory}
              title={title}
              action={
                <ButtonLink to="/laboratories/$subjectId" params={{ subjectId: String(laboratory_id) }}>
                  {words.goOnLaboratory}
                </ButtonLink>
              }
            >
              {status === 'queued' ? words.queued : <TimeLeft until={expires_at} />}
            </Step>
          ),
      )}
    </>
  );
}

/** Whether there are any. */
export function useHasRunning(): boolean {
  const exam = useQuery(activeExamQuery);
  const laboratories = useQuery(activeLaboratoriesQuery);
  return Boolean(exam.data) || (laboratories.data?.length ?? 0) > 0;
}
