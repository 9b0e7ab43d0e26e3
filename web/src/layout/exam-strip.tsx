import { GraduationCap } from 'lucide-react';
import type { Attempt } from '../attempts/active.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Countdown } from '../ui/time/countdown.tsx';
import { useSecondsLeft } from '../ui/time/use-seconds-left.ts';

/** A running exam in one line: its title, its clock, and the way back to it. */
export function ExamStrip({ exam, assessmentId }: { exam: Attempt; assessmentId: number }) {
  const { now: words, next } = useStrings().dashboard;
  const { title, status, expires_at, paused_at } = exam;
  const left = useSecondsLeft(expires_at, paused_at ?? null);
  return (
    <aside
      aria-label={next.exam}
      className="flex min-h-12 shrink-0 items-center gap-3 border-b bg-warn-soft px-3 py-1.5 text-sm sm:px-4"
    >
      <GraduationCap size={18} aria-hidden="true" className="shrink-0 text-warn" />
      <p className="min-w-0 flex-1 truncate font-medium" title={title}>
        <span className="max-sm:sr-only">{next.exam}: </span>
        {title}
      </p>
      {paused_at && <span className="max-sm:sr-only">{words.paused}</span>}
      {status !== 'queued' && <Countdown left={left} />}
      <ButtonLink
        look="plain"
        size="small"
        to="/exams/$assessmentId"
        params={{ assessmentId: `${assessmentId}` }}
        aria-label={next.goOnExam}
      >
        {words.goOn}
      </ButtonLink>
    </aside>
  );
}
