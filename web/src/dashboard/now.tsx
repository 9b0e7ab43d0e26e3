import { useQuery } from '@tanstack/react-query';
import { ArrowRight, GraduationCap } from 'lucide-react';
import { activeQuery } from '../attempts/active.ts';
import { RunningAttempts, useHasRunning } from '../attempts/running-attempts.tsx';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { type ExamSession, sessionsQuery } from '../teaching-model/exam-sessions.ts';
import { UntilChange } from '../teaching-model/session-facts.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Step } from '../ui/step.tsx';

/** What runs, with its clock, and the exams that are open to the user. */
export function Now() {
  const { now: words } = useStrings().dashboard;
  const hasRunning = useHasRunning();
  const { data: sessions = [] } = useQuery(sessionsQuery());
  const { data: running = [] } = useQuery({ ...activeQuery('exam'), refetchOnMount: false });
  const open = sessions
    .filter(({ my_role, attempts_left, state }) => my_role === 'student' && attempts_left !== 0 && state === 'open')
    .filter(({ exam_id }) => running.every(({ assessment_id }) => assessment_id !== exam_id))
    .toReversed();
  if (!hasRunning && open.length === 0) return null;
  return (
    <section aria-labelledby="now" className="flex flex-col gap-3">
      <h2 id="now" className="text-lg font-semibold">
        {words.title}
      </h2>
      <RunningAttempts />
      {open.map((session) => (
        <OpenExam key={session.id} session={session} />
      ))}
    </section>
  );
}

function OpenExam({ session }: { session: ExamSession }) {
  const t = useStrings();
  const format = useFormat();
  const { title, exam_id, class_name, closes_at } = session;
  return (
    <Step
      icon={GraduationCap}
      isUrgent
      label={t.examSessions.isOpen}
      title={title}
      action={
        <ButtonLink
          to="/exams/$assessmentId"
          params={{ assessmentId: `${exam_id}` }}
          aria-label={t.examSessions.toNamed(title)}
        >
          {t.examSessions.toExam} <ArrowRight size={16} aria-hidden="true" />
        </ButtonLink>
      }
    >
      <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
        {class_name !== null && <span>{class_name}</span>}
        <span>{t.dashboard.now.openUntil(format.time(closes_at))}</span>
        <UntilChange session={session} />
      </span>
    </Step>
  );
}
