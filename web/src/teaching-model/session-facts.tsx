import { CalendarClock, KeyRound, MonitorCheck, Network, Pause, Repeat } from 'lucide-react';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Badge, type Tone } from '../ui/card.tsx';
import { Countdown } from '../ui/time/countdown.tsx';
import { useSecondsLeft } from '../ui/time/use-seconds-left.ts';
import type { ExamSession } from './exam-sessions.ts';
import { SchoolTime } from './school-time.tsx';

const tones: Record<ExamSession['state'], Tone> = { upcoming: 'info', open: 'good', closed: 'neutral' };

export function SessionState({ session: { state, is_paused } }: { session: ExamSession }) {
  const t = useStrings();
  return (
    <span className="flex flex-wrap gap-1">
      <Badge tone={tones[state]}>{t.examSessions.states[state]}</Badge>
      {is_paused && (
        <Badge tone="warn">
          <Pause size={13} aria-hidden="true" /> {t.examSessions.paused}
        </Badge>
      )}
    </span>
  );
}

type Facts = Pick<
  ExamSession,
  'opens_at' | 'closes_at' | 'attempts_left' | 'has_access_code' | 'networks' | 'is_locked_down'
>;

/** When a session begins and ends, and what it takes to start. */
export function SessionFacts({ session }: { session: Facts }) {
  const t = useStrings();
  const format = useFormat();
  const { opens_at, closes_at, attempts_left, has_access_code, networks, is_locked_down } = session;
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-soft [&>li]:flex [&>li]:items-center [&>li]:gap-1.5 [&>li:empty]:hidden">
      <li>
        <CalendarClock size={15} aria-hidden="true" />{' '}
        {t.examSessions.window(format.time(opens_at), format.time(closes_at))}
      </li>
      <li>
        <SchoolTime opens={opens_at} closes={closes_at} />
      </li>
      {attempts_left !== null && (
        <li>
          <Repeat size={15} aria-hidden="true" /> {t.examSessions.attemptsLeft(attempts_left)}
        </li>
      )}
      {has_access_code && (
        <li>
          <KeyRound size={15} aria-hidden="true" /> {t.examSessions.needsCode}
        </li>
      )}
      {is_locked_down && (
        <li>
          <MonitorCheck size={15} aria-hidden="true" /> {t.examSessions.oneLogin}
        </li>
      )}
      {networks.length > 0 && (
        <li>
          <Network size={15} aria-hidden="true" /> {t.examSessions.needsNetwork}
        </li>
      )}
    </ul>
  );
}

/** The time until a session opens, or until it closes. */
export function UntilChange({ session: { state, is_paused, opens_at, closes_at } }: { session: ExamSession }) {
  const t = useStrings();
  const moment = state === 'upcoming' ? opens_at : closes_at;
  const left = useSecondsLeft(moment);
  if (state === 'closed' || is_paused) return null;
  // A calendar is better for those that are far away.
  if (left !== undefined && left > 86_400) return null;
  return (
    <span className="flex flex-wrap items-center gap-2 text-sm">
      {state === 'upcoming' ? t.examSessions.opensIn : t.examSessions.closesIn} <Countdown left={left} />
    </span>
  );
}
