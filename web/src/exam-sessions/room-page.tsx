import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Eye, PlugZap, TriangleAlert } from 'lucide-react';
import { Countdown, useSecondsLeft } from '../attempts/countdown.tsx';
import { classQuery, mayChange } from '../classes/queries.ts';
import { Link } from '../routing/link.tsx';
import { useAddress, useParams } from '../routing/place-context.ts';
import { useUser } from '../session/use-session.ts';
import type { Strings } from '../strings/en/index.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Badge, type Tone } from '../ui/card.tsx';
import { optionsOf } from '../ui/field.tsx';
import { FilterFields } from '../ui/filters.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { Empty, Loading } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { sessionQuery } from './queries.ts';
import { isIn, roomGroups, studentsIn } from './room-groups.ts';
import { SessionState, UntilChange } from './session-facts.tsx';
import { SessionMenu } from './session-menu.tsx';
import { StudentMenu } from './student-menu.tsx';
import { type Room, type RoomStudent, useRoom } from './use-room.ts';

/** The room of an exam session for those who supervise it: each student live. */
export function RoomPage() {
  const t = useStrings();
  const { classId, sessionId } = useParams('/classes/$classId/sessions/$sessionId');
  const id = Number(sessionId);
  const { room, isLive, error } = useRoom(id);
  const { data: of } = useQuery(classQuery(Number(classId)));
  const { data: session } = useQuery(sessionQuery(id));
  const user = useUser();
  const isChanger = of !== undefined && mayChange(of, user);
  return (
    <Page
      title={room ? t.room.titleOf(room.session.title) : t.room.title}
      lead={
        <Link
          to="/classes/$classId"
          params={{ classId }}
          className="inline-flex items-center gap-1 text-sm hover:text-ink hover:underline"
        >
          <ArrowLeft size={16} aria-hidden="true" /> {of?.name ?? t.classes.class}
        </Link>
      }
      actions={isChanger && session && <SessionMenu session={session} isEditable={false} />}
    >
      {error !== undefined && <ProblemNote error={error} />}
      {!room && error === undefined && <Loading rows={6} className="h-12" />}
      {room && (
        <>
          <div className="flex flex-wrap items-center gap-3">
            {session && (
              <>
                <SessionState session={session} /> <UntilChange session={session} />
              </>
            )}
            {!isLive && (
              <span role="status" className="flex items-center gap-1.5 text-sm text-warn">
                <PlugZap size={16} aria-hidden="true" /> {t.room.notLive}
              </span>
            )}
          </div>
          <Students room={room} isChanger={isChanger} />
        </>
      )}
    </Page>
  );
}

function Students({ room: { session, students }, isChanger }: { room: Room; isChanger: boolean }) {
  const t = useStrings();
  const format = useFormat();
  const isStaff = useUser().role !== 'student';
  const { search, onSearch } = useAddress('/classes/$classId/sessions/$sessionId');
  const shown = studentsIn(students, { group: search.group, text: search.q });
  if (students.length === 0) return <Empty title={t.room.nobody} />;
  const counts = Object.fromEntries(
    roomGroups.map((group) => [group, t.room.group(group, students.filter((one) => isIn(group, one)).length)]),
  ) as Record<(typeof roomGroups)[number], string>;
  return (
    <>
      <FilterFields
        search={search}
        onChange={(next, replace = false) => onSearch({ ...search, ...next }, replace)}
        filters={[
          { text: 'q', label: t.room.search },
          { choice: 'group', label: t.room.show, options: optionsOf(roomGroups, counts) },
        ]}
      />
      {shown.length === 0 ? (
        <Empty title={t.room.nobodyFound} />
      ) : (
        <Table
          caption={t.room.title}
          rows={shown}
          keyOf={({ user_id }) => user_id}
          columns={columnsOf(t, format, { sessionId: session.id, isPaused: session.is_paused, isStaff, isChanger })}
        />
      )}
    </>
  );
}

const tones: Record<RoomStudent['status'], Tone> = {
  not_started: 'neutral',
  queued: 'info',
  in_progress: 'good',
  grading: 'info',
  finished: 'neutral',
  expired: 'warn',
  abandoned: 'warn',
};

const columnsOf = (
  t: Strings,
  format: ReturnType<typeof useFormat>,
  {
    sessionId,
    isPaused,
    isStaff,
    isChanger,
  }: { sessionId: number; isPaused: boolean; isStaff: boolean; isChanger: boolean },
): Column<RoomStudent>[] => [
  {
    title: t.room.student,
    cell: ({ username, full_name, time_factor }) => (
      <div className="min-w-36 [overflow-wrap:anywhere]">
        <span className="block font-medium">{full_name || username}</span>
        {full_name && <span className="block text-xs text-ink-soft">{username}</span>}
        {time_factor !== 1 && <span className="block text-xs text-ink-soft">{t.room.factor(time_factor)}</span>}
      </div>
    ),
  },
  {
    title: t.room.state,
    cell: (student) => <State student={student} isPaused={isPaused} />,
  },
  { title: t.room.left, isShort: true, cell: (student) => <TimeLeft student={student} /> },
  {
    title: t.room.seen,
    isShort: true,
    isMinor: true,
    cell: ({ status, is_connected, last_seen_at }) =>
      status === 'in_progress' && is_connected ? (
        <span className="text-good">{t.room.connected}</span>
      ) : (
        ((last_seen_at && format.time(last_seen_at)) ?? '–')
      ),
  },
  { title: t.room.warnings, cell: (student) => <Warnings student={student} /> },
  {
    title: t.room.result,
    isNumber: true,
    isMinor: true,
    cell: ({ score, max_score, passed, attempt_id }) =>
      score === null || max_score === null ? (
        '–'
      ) : (
        <span className={passed ? 'text-good' : ''}>
          {isStaff && attempt_id !== null ? (
            <Link to="/teaching/attempts/$attemptId" params={{ attemptId: `${attempt_id}` }} className="underline">
              {t.classes.ofAll(score, max_score)}
            </Link>
          ) : (
            t.classes.ofAll(score, max_score)
          )}
        </span>
      ),
  },
  {
    title: t.common.actions,
    isNumber: true,
    cell: (student) => (
      <span className="flex items-center justify-end gap-1">
        {isStaff && student.status === 'in_progress' && student.container_id !== null && (
          <ButtonLink
            to="/teaching/live/$containerId"
            params={{ containerId: `${student.container_id}` }}
            aria-label={t.room.watchOf(student.full_name || student.username)}
            look="plain"
            size="small"
          >
            <Eye size={16} aria-hidden="true" /> {t.teaching.watch}
          </ButtonLink>
        )}
        {isChanger && <StudentMenu sessionId={sessionId} student={student} />}
      </span>
    ),
  },
];

function State({ student, isPaused }: { student: RoomStudent; isPaused: boolean }) {
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

function TimeLeft({ student: { status, expires_at, paused_at } }: { student: RoomStudent }) {
  const isRunning = status === 'in_progress';
  const left = useSecondsLeft(isRunning ? expires_at : null, paused_at);
  return isRunning ? <Countdown left={left} /> : <>–</>;
}

function Warnings({ student }: { student: RoomStudent }) {
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
