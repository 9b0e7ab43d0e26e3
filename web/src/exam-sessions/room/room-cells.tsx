import { TriangleAlert } from 'lucide-react';
import { useFormat, useStrings } from '../../strings/use-strings.tsx';
import { Badge, type Tone } from '../../ui/card.tsx';
import { Countdown } from '../../ui/countdown.tsx';
import { useSecondsLeft } from '../../ui/use-seconds-left.ts';
import type { RoomStudent } from './use-room.ts';

const tones: Record<RoomStudent['status'], Tone> = {
  not_started: 'neutral',
  queued: 'info',
  in_progress: 'good',
  grading: 'info',
  finished: 'neutral',
  expired: 'warn',
  abandoned: 'warn',
};

export function State({ student, isPaused }: { student: RoomStudent; isPaused: boolean }) {
  const t = useStrings();
  const format = useFormat();
  const { status, paused_at, break_ends_at, is_locked } = student;
  // While the session is paused, the end of a break moves.
  const isOnBreak = break_ends_at !== null;
  return (
    <span className="flex flex-wrap gap-1">
      <Badge tone={tones[status]}>{t.room.statuses[status]}</Badge>
      {isOnBreak && (
        <Badge tone="warn">{isPaused ? t.room.onBreak : t.room.onBreakUntil(format.clock(break_ends_at))}</Badge>
      )}
      {paused_at !== null && (isPaused || !isOnBreak) && <Badge tone="warn">{t.examSessions.paused}</Badge>}
      {is_locked && <Badge tone="neutral">{t.room.locked}</Badge>}
    </span>
  );
}

export function TimeLeft({ student: { status, expires_at, paused_at } }: { student: RoomStudent }) {
  const isRunning = status === 'in_progress';
  const left = useSecondsLeft(isRunning ? expires_at : null, paused_at);
  return isRunning ? <Countdown left={left} /> : <>–</>;
}

export function Warnings({ student }: { student: RoomStudent }) {
  const t = useStrings();
  const { status, warnings, is_connected, paused_at } = student;
  const isAway = status === 'in_progress' && paused_at === null && !is_connected;
  const texts = [...warnings.map((warning) => t.room.warningTexts[warning]), ...(isAway ? [t.room.away] : [])];
  if (texts.length === 0) return null;
  return (
    <ul className="flex min-w-32 flex-col gap-1 text-xs text-warn">
      {texts.map((text) => (
        <li key={text} className="flex items-start gap-1">
          <TriangleAlert size={14} aria-hidden="true" className="mt-0.5 shrink-0" /> {text}
        </li>
      ))}
    </ul>
  );
}
