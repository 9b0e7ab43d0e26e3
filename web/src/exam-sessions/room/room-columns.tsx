import { Eye } from 'lucide-react';
import { Link } from '../../routing/link.tsx';
import type { Strings } from '../../strings/en/index.ts';
import type { useFormat } from '../../strings/use-strings.tsx';
import { Ago } from '../../ui/ago.tsx';
import { ButtonLink } from '../../ui/button-link.tsx';
import type { Column } from '../../ui/lists/table.tsx';
import { State, TimeLeft, Warnings } from './room-cells.tsx';
import { StudentMenu } from './student-menu.tsx';
import type { RoomStudent } from './use-room.ts';

/** The columns of the students in a room. */
export const columnsOf = (
  t: Strings,
  format: ReturnType<typeof useFormat>,
  {
    sessionId,
    isPaused,
    isStaff,
    isController,
  }: { sessionId: number; isPaused: boolean; isStaff: boolean; isController: boolean },
): Column<RoomStudent>[] => [
  {
    title: t.room.student,
    sortBy: ({ username, full_name }) => full_name || username,
    cell: ({ username, full_name, time_factor }) => (
      <div className="min-w-36 [overflow-wrap:anywhere]">
        <span className="block font-medium">{full_name || username}</span>
        {full_name && <span className="block text-xs text-ink-soft">{username}</span>}
        {time_factor !== null && time_factor !== 1 && (
          <span className="block text-xs text-ink-soft">{t.room.factor(time_factor)}</span>
        )}
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
    sortBy: ({ last_seen_at }) => last_seen_at,
    isShort: true,
    isMinor: true,
    cell: ({ status, is_connected, last_seen_at }) =>
      status === 'in_progress' && is_connected ? (
        <span className="text-good">{t.room.connected}</span>
      ) : (
        ((last_seen_at && format.time(last_seen_at)) ?? '–')
      ),
  },
  {
    title: t.room.lastKey,
    sortBy: ({ last_input_at }) => last_input_at,
    isShort: true,
    isMinor: true,
    cell: ({ status, last_input_at }) =>
      status === 'in_progress' && last_input_at !== null ? <Ago time={last_input_at} /> : '–',
  },
  { title: t.room.warnings, cell: (student) => <Warnings student={student} /> },
  {
    title: t.room.result,
    sortBy: ({ score }) => score,
    isNumber: true,
    isMinor: true,
    cell: ({ score, max_score, passed, attempt_id }) =>
      score === null || max_score === null ? (
        '–'
      ) : (
        <span className={`whitespace-nowrap ${passed ? 'text-good' : ''}`}>
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
            search={{ from: location.pathname + location.search }}
            aria-label={t.room.watchOf(student.full_name || student.username)}
            look="plain"
            size="small"
          >
            <Eye size={16} aria-hidden="true" /> {t.teaching.watch}
          </ButtonLink>
        )}
        {isController && <StudentMenu sessionId={sessionId} student={student} />}
      </span>
    ),
  },
];
