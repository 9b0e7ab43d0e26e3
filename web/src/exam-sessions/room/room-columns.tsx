import { CircleStop, Ellipsis, Eye, MessageSquare, MonitorSmartphone, Play, Timer, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { ok } from '../../api/problem.ts';
import { AwaitingBadge } from '../../attempts/awaiting.tsx';
import type { Strings } from '../../strings/en/index.ts';
import { useFormat, useStrings } from '../../strings/use-strings.tsx';
import { AttemptLink } from '../../teaching-model/person-link.tsx';
import { Ago } from '../../ui/ago.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { ButtonLink } from '../../ui/button-link.tsx';
import { Badge, type Tone } from '../../ui/card.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import type { Column } from '../../ui/lists/table.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { Countdown } from '../../ui/time/countdown.tsx';
import { useSecondsLeft } from '../../ui/time/use-seconds-left.ts';
import { useToasts } from '../../ui/toasts.tsx';
import { EndConfirm } from './end-confirm.tsx';
import { ExtendButton, ExtendForm } from './extend-form.tsx';
import { MessageForm } from './message-form.tsx';
import { isStuck, TaskMarks, type tasksOf } from './silent-checks.tsx';
import type { RoomStudent } from './use-room.ts';

/** The columns of the students in a room. */
export const columnsOf = (
  t: Strings,
  {
    sessionId,
    isPaused,
    isStaff,
    isController,
    tasks,
  }: {
    sessionId: number;
    isPaused: boolean;
    isStaff: boolean;
    isController: boolean;
    /** Those that silent checks have looked at. */
    tasks: ReturnType<typeof tasksOf>;
  },
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
  { title: t.room.warnings, cell: (student) => <Warnings student={student} /> },
  ...(tasks.length > 0
    ? [
        {
          title: t.room.silent.tasks,
          sortBy: ({ task_marks }: RoomStudent) =>
            task_marks ? task_marks.filter(({ state }) => state === 'passed').length : null,
          firstOrder: 'desc' as const,
          cell: (student: RoomStudent) => <TaskMarks student={student} tasks={tasks} />,
        },
      ]
    : []),
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
        ((last_seen_at && <Ago time={last_seen_at} />) ?? '–')
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
  {
    title: t.room.result,
    sortBy: ({ score }) => score,
    isNumber: true,
    isMinor: true,
    cell: ({ score, max_score, passed, attempt_id, is_awaiting_grading }) =>
      is_awaiting_grading ? (
        <AwaitingBadge />
      ) : score === null || max_score === null ? (
        '–'
      ) : (
        <span className={`whitespace-nowrap ${passed ? 'text-good' : ''}`}>
          {isStaff && attempt_id !== null ? (
            <AttemptLink id={attempt_id} className="underline">
              {t.classes.ofAll(score, max_score)}
            </AttemptLink>
          ) : (
            t.classes.ofAll(score, max_score)
          )}
        </span>
      ),
  },
  {
    title: t.common.actions,
    isActions: true,
    cell: (student) => (
      <span className="flex items-center justify-end gap-1">
        {isStaff && student.status === 'in_progress' && student.container_id !== null && (
          <ButtonLink
            to="/teaching/live/$containerId"
            params={{ containerId: `${student.container_id}` }}
            search={{ from: location.pathname + location.search }}
            aria-label={t.room.watchOf(student.full_name || student.username)}
            title={t.teaching.watch}
            look="quiet"
            size="small"
            className="aspect-square px-1!"
          >
            <Eye size={16} aria-hidden="true" />
          </ButtonLink>
        )}
        {isController && <StudentMenu sessionId={sessionId} student={student} />}
      </span>
    ),
  },
];

const tones: Record<RoomStudent['status'], Tone> = {
  not_started: 'neutral',
  queued: 'info',
  in_progress: 'good',
  grading: 'info',
  finished: 'neutral',
  expired: 'warn',
  abandoned: 'warn',
};

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
  const texts = [
    ...warnings.map((warning) => t.room.warningTexts[warning]),
    ...(isAway ? [t.room.away] : []),
    ...(isStuck(student) ? [t.room.silent.stuck] : []),
  ];
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

/** What supervisors do for one student who takes the exam. */
function StudentMenu({ sessionId: id, student }: { sessionId: number; student: RoomStudent }) {
  const t = useStrings();
  const [shown, setShown] = useState<'message' | 'extend' | 'unlock' | 'break' | 'end'>();
  const close = (): void => setShown(undefined);
  const { status, username, full_name, user_id, is_locked, break_ends_at, warnings } = student;
  const name = full_name || username;
  const isRunning = status === 'in_progress';
  const isQueued = status === 'queued';
  const mayEnd = isRunning || isQueued;
  if (!mayEnd && !is_locked) return null;
  return (
    <>
      {is_locked && warnings.includes('login_refused') && (
        <Button onClick={() => setShown('unlock')}>{t.room.letIn}</Button>
      )}
      {isRunning && (
        <>
          <ExtendButton id={id} userId={user_id} label={t.room.fiveMinutesFor(name)} />
          <IconButton label={t.room.messageTo(name)} onClick={() => setShown('message')}>
            <MessageSquare size={16} aria-hidden="true" />
          </IconButton>
        </>
      )}
      <Menu
        trigger={
          <IconButton label={t.examSessions.actionsOf(name)}>
            <Ellipsis size={18} aria-hidden="true" />
          </IconButton>
        }
      >
        {isRunning && (
          <MenuItem onSelect={() => setShown('extend')}>
            <Timer size={16} aria-hidden="true" /> {t.examSessions.extend}
          </MenuItem>
        )}
        {break_ends_at !== null && (
          <MenuItem onSelect={() => setShown('break')}>
            <Play size={16} aria-hidden="true" /> {t.room.endBreak}
          </MenuItem>
        )}
        {is_locked && (
          <MenuItem onSelect={() => setShown('unlock')}>
            <MonitorSmartphone size={16} aria-hidden="true" /> {t.room.unlock}
          </MenuItem>
        )}
        {mayEnd && (
          <MenuItem onSelect={() => setShown('end')}>
            <CircleStop size={16} aria-hidden="true" className="text-bad" />{' '}
            <span className="text-bad">{t.room.end}</span>
          </MenuItem>
        )}
      </Menu>
      <Dialog title={t.room.messageTo(name)} isOpen={shown === 'message'} onOpenChange={close}>
        <MessageForm id={id} userId={user_id} onDone={close} />
      </Dialog>
      <Dialog title={t.room.moreTimeFor(name)} isOpen={shown === 'extend'} onOpenChange={close}>
        <ExtendForm id={id} userId={user_id} onDone={close} />
      </Dialog>
      <StudentConfirm
        act="unlock"
        id={id}
        student={{ user_id, name }}
        isOpen={shown === 'unlock'}
        onOpenChange={close}
      />
      <StudentConfirm act="break" id={id} student={{ user_id, name }} isOpen={shown === 'break'} onOpenChange={close} />
      <EndConfirm id={id} student={{ user_id, name, isQueued }} isOpen={shown === 'end'} onOpenChange={close} />
    </>
  );
}

/**
 * Asks before an instructor does something for one student in the room: `unlock` lets a student of a locked exam log in on another device,
 * `break` ends a break.
 */
function StudentConfirm({
  act,
  id,
  student: { user_id, name },
  ...dialog
}: {
  act: 'unlock' | 'break';
  id: number;
  student: { user_id: number; name: string };
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}) {
  const { room } = useStrings();
  const toasts = useToasts();
  const request = { params: { path: { id } }, body: { user_id } };
  const { title, action, help, done, send } = {
    unlock: {
      ...{ title: room.unlockTitle, action: room.unlock, help: room.unlockHelp, done: room.unlocked },
      send: async () => await ok(api.POST('/api/exam-sessions/{id}/unlock', request)),
    },
    break: {
      ...{ title: room.endBreakTitle, action: room.endBreak, help: room.endBreakHelp, done: room.breakEnded },
      send: async () => await ok(api.POST('/api/exam-sessions/{id}/end-break', request)),
    },
  }[act];
  return (
    <Confirm
      title={title(name)}
      action={action}
      look="primary"
      onConfirm={async () => {
        await send();
        toasts.done(done(name));
      }}
      {...dialog}
    >
      {help}
    </Confirm>
  );
}
