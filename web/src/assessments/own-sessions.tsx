import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { useStrings } from '../strings/use-strings.tsx';
import { type ExamSession, sessionsQuery } from '../teaching-model/exam-sessions.ts';
import { SessionFacts, SessionState, UntilChange } from '../teaching-model/session-facts.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { DownloadButton } from '../ui/download-button.tsx';

/** The exam sessions that await a student, the next ones first. */
export function OwnSessions() {
  const t = useStrings();
  const { data = [] } = useQuery(sessionsQuery());
  const own = data.filter(({ my_role, state }) => my_role === 'student' && state !== 'closed');
  if (own.length === 0) return null;
  return (
    <section className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-lg font-semibold">{t.examSessions.mine}</h2>
        <DownloadButton size="small" label={t.examSessions.calendar} path="/api/exam-sessions/calendar.ics" />
      </div>
      <ul className="flex flex-col gap-3">
        {own.toReversed().map((session) => (
          <li key={session.id}>
            <Awaited session={session} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Awaited({ session }: { session: ExamSession }) {
  const t = useStrings();
  const { title, exam_id, exam_title, class_name, state } = session;
  return (
    <Card className="flex flex-wrap items-center gap-4">
      <div className="flex min-w-0 flex-1 basis-60 flex-col gap-1.5">
        <h3 className="flex flex-wrap items-center gap-2 font-semibold">
          {title} <SessionState session={session} />
        </h3>
        <p className="text-sm text-ink-soft">
          {[title === exam_title ? null : exam_title, class_name].filter(Boolean).join(', ')}
        </p>
        <SessionFacts session={session} />
      </div>
      <UntilChange session={session} />
      <ButtonLink
        to="/exams/$assessmentId"
        params={{ assessmentId: `${exam_id}` }}
        look={state === 'open' ? 'primary' : 'plain'}
        aria-label={t.examSessions.toNamed(title)}
      >
        {t.examSessions.toExam} <ArrowRight size={16} aria-hidden="true" />
      </ButtonLink>
    </Card>
  );
}
