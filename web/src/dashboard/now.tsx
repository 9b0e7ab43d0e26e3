import { ArrowRight, GraduationCap } from 'lucide-react';
import { RunningAttempts } from '../attempts/running-attempts.tsx';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import type { ExamSession } from '../teaching-model/exam-sessions.ts';
import { UntilChange } from '../teaching-model/session-facts.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Step } from '../ui/step.tsx';
import { useNow } from './use-now.ts';

/** What runs, with its clock, and the exams that are open to the user. */
export function Now() {
  const { now: words } = useStrings().dashboard;
  const { open, hasRunning } = useNow();
  if (!hasRunning && open.length === 0) return null;
  return (
    <section aria-labelledby="now" className="flex flex-col gap-3">
      <h2 id="now" className="text-lg font-semibold">
        {words.title}
      </h2>
      <RunningAttempts />
      {open.map((session, index) => (
        <OpenExam key={session.id} session={session} isMain={!hasRunning && index === 0} />
      ))}
    </section>
  );
}

/** @param isMain whether it is what the page is about: a view has one such button */
function OpenExam({ session, isMain }: { session: ExamSession; isMain: boolean }) {
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
          look={isMain ? 'primary' : 'plain'}
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
