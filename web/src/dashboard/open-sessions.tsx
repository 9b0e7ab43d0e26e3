import { useQuery } from '@tanstack/react-query';
import { ArrowRight, CalendarClock, GraduationCap } from 'lucide-react';
import { activeQuery } from '../attempts/active.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { type ExamSession, sessionsQuery } from '../teaching-model/exam-sessions.ts';
import { UntilChange } from '../teaching-model/session-facts.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Step } from '../ui/step.tsx';

/** More are on the page of the exams. */
const maxUpcoming = 1;

/** The exam sessions that a student can start now, and the next one that opens. They are loaded after the page. */
export function OpenSessions() {
  const { data: sessions = [] } = useQuery(sessionsQuery());
  const { data: running = [] } = useQuery({ ...activeQuery('exam'), refetchOnMount: false });
  const own = sessions
    .filter(({ my_role, attempts_left }) => my_role === 'student' && attempts_left !== 0)
    .toReversed();
  const open = own.filter(
    ({ state, exam_id }) => state === 'open' && running.every(({ assessment_id }) => assessment_id !== exam_id),
  );
  const upcoming = own.filter(({ state }) => state === 'upcoming').slice(0, maxUpcoming);
  return [...open, ...upcoming].map((session) => <SessionStep key={session.id} session={session} />);
}

function SessionStep({ session }: { session: ExamSession }) {
  const t = useStrings();
  const format = useFormat();
  const { title, exam_id, class_name, state, opens_at, closes_at } = session;
  const isOpen = state === 'open';
  return (
    <Step
      icon={isOpen ? GraduationCap : CalendarClock}
      isUrgent={isOpen}
      label={isOpen ? t.examSessions.isOpen : t.examSessions.isNext}
      title={title}
      action={
        <ButtonLink
          to="/exams/$assessmentId"
          params={{ assessmentId: `${exam_id}` }}
          look={isOpen ? 'primary' : 'plain'}
          aria-label={t.examSessions.toNamed(title)}
        >
          {t.examSessions.toExam} <ArrowRight size={16} aria-hidden="true" />
        </ButtonLink>
      }
    >
      <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
        {class_name !== null && <span>{class_name}</span>}
        <span>{t.examSessions.window(format.time(opens_at), format.time(closes_at))}</span>
        <UntilChange session={session} />
      </span>
    </Step>
  );
}
