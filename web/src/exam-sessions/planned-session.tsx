import { CircleCheck, MonitorPlay } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import type { ExamSession } from '../teaching-model/exam-sessions.ts';
import { SessionFacts } from '../teaching-model/session-facts.tsx';
import { Button } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Card } from '../ui/card.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { showArrival } from '../ui/lists/arrivals.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { RoomButton } from './room/room-link.tsx';

/** A session that was just planned, and where to go from there. */
export function PlannedSession({
  session,
  code,
  failed,
  onAgain,
}: {
  session: ExamSession;
  code: string;
  /** Students whose accommodation could not be saved. */
  failed: readonly { name: string; error: unknown }[];
  onAgain: () => void;
}) {
  const t = useStrings();
  const words = t.examSessions.planning;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { id, class_id, class_name, chosen_students, title } = session;
  return (
    <Card className="flex max-w-3xl flex-col gap-4 sm:p-6">
      <div className="flex flex-col gap-1">
        <h2 ref={heading} tabIndex={-1} className="flex items-center gap-2 text-lg font-semibold outline-none">
          <CircleCheck size={20} aria-hidden="true" className="shrink-0 text-good" /> {t.examSessions.planned(title)}
        </h2>
        <p className="text-sm text-ink-soft">{class_name ?? t.examSessions.choosing.count(chosen_students ?? 0)}</p>
        <SessionFacts session={session} />
      </div>
      {code !== '' && (
        <p className="text-sm">
          {words.code} <code className="rounded bg-sunken px-2 py-1 font-medium">{code}</code>
        </p>
      )}
      {failed.map(({ name, error }) => (
        <div key={name} className="flex flex-col gap-1">
          <p className="text-sm">{words.notAccommodated(name)}</p>
          <ProblemNote error={error} />
        </div>
      ))}
      <div className="flex flex-wrap gap-2">
        <DownloadButton label={t.examSessions.calendar} path={`/api/exam-sessions/${id}/calendar.ics`} />
        <RoomButton session={session}>
          <MonitorPlay size={16} aria-hidden="true" /> {words.toRoom}
        </RoomButton>
        {class_id !== null && (
          <ButtonLink
            look="plain"
            to="/classes/$classId"
            params={{ classId: `${class_id}` }}
            onClick={() => showArrival('exam_session', id)}
          >
            {words.toClass}
          </ButtonLink>
        )}
        <Button onClick={onAgain}>{words.again}</Button>
      </div>
    </Card>
  );
}
