import type { ReactNode } from 'react';
import { RoomLink } from '../exam-sessions/room/room-link.tsx';
import { Link } from '../routing/link.tsx';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import type { Overview } from '../teaching-model/overview.ts';
import { Badge } from '../ui/card.tsx';
import { TimeLeft } from '../ui/time-left.tsx';
import { OverviewRow, rowLink } from './overview-row.tsx';

type Session = Overview['upcoming_sessions'][number];

/** What runs, in numbers that lead to the lists. */
export function RunningFigures({ exams, laboratories, queued, on_break, containers, terminals }: Overview['running']) {
  const words = useStrings().teaching.overview;
  const running = exams + laboratories;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      <Figure label={words.running} value={running}>
        {running > 0 && (
          <Link to="/teaching/attempts" search={{ status: 'in_progress' }} className={rowLink}>
            {running}
            <span className="sr-only"> {words.running}</span>
          </Link>
        )}
      </Figure>
      <Figure label={words.queued} value={queued}>
        {queued > 0 && (
          <Link to="/teaching/attempts" search={{ status: 'queued' }} className={rowLink}>
            {queued}
            <span className="sr-only"> {words.queued}</span>
          </Link>
        )}
      </Figure>
      <Figure label={words.onBreak} value={on_break} />
      <Figure label={words.terminals} value={terminals}>
        {containers > 0 && (
          <Link to="/teaching/live" className={rowLink}>
            {terminals}
            <span className="sr-only"> {words.terminals}</span>
          </Link>
        )}
      </Figure>
    </dl>
  );
}

const Figure = ({ label, value, children }: { label: string; value: number; children?: ReactNode }) => (
  <div className="flex flex-col-reverse justify-end">
    <dt className="text-xs text-ink-soft">{label}</dt>
    <dd className="text-xl font-semibold tabular-nums">{children || value}</dd>
  </div>
);

/** The exam sessions that are open, each with a link to its room. */
export function RunningSessions({ sessions }: { sessions: Overview['open_sessions'] }) {
  const words = useStrings().teaching.overview;
  return (
    <ul className="divide-y">
      {sessions.map((session) => {
        const { id, closes_at, is_paused, students, working, done } = session;
        const side = is_paused ? <Badge tone="warn">{words.paused}</Badge> : <TimeLeft until={closes_at} />;
        return (
          <OverviewRow key={id} link={<OwnRoom session={session} />} side={side}>
            {[about(session), words.inRoom(working, done, students)].join(' · ')}
          </OverviewRow>
        );
      })}
    </ul>
  );
}

/** The next exam sessions. */
export function ComingUp({ sessions }: { sessions: readonly Session[] }) {
  const format = useFormat();
  return (
    <ul className="divide-y">
      {sessions.map((session) => (
        <OverviewRow key={session.id} link={<OwnRoom session={session} />} side={format.time(session.opens_at)}>
          {about(session)}
        </OverviewRow>
      ))}
    </ul>
  );
}

type Named = Pick<Session, 'id' | 'class_id' | 'class_name' | 'title' | 'exam_title'>;

const about = ({ class_name, title, exam_title }: Named): string =>
  [title === exam_title ? null : exam_title, class_name].filter(Boolean).join(' · ');

const OwnRoom = ({ session }: { session: Named }) => (
  <RoomLink session={session} className={rowLink}>
    {session.title}
  </RoomLink>
);
