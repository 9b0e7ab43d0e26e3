import type { Strings } from '../strings/en/index.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import type { ExamSession } from '../teaching-model/exam-sessions.ts';
import { SessionState } from '../teaching-model/session-facts.tsx';
import { type Column, Table } from '../ui/lists/table.tsx';
import { RoomLink } from './room/room-link.tsx';
import { SessionMenu } from './session-menu.tsx';

/** Who may see the room of a session, and change it. */
export type Rights = { isWatcher: boolean; isChanger: (session: ExamSession) => boolean };

/** Exam sessions, with their rooms and actions. */
export function SessionTable({
  caption,
  sessions,
  rights,
}: {
  caption: string;
  sessions: ExamSession[];
  rights: Rights;
}) {
  const t = useStrings();
  const format = useFormat();
  return (
    <Table
      caption={caption}
      rows={sessions}
      keyOf={({ id }) => id}
      kind="exam_session"
      columns={columnsOf(t, format, sessions, rights)}
    />
  );
}

function columnsOf(
  t: Strings,
  format: ReturnType<typeof useFormat>,
  sessions: ExamSession[],
  { isChanger, isWatcher }: Rights,
): Column<ExamSession>[] {
  const words = t.examSessions;
  return [
    {
      title: words.session,
      sortBy: ({ title }) => title,
      cell: (session) => (isWatcher ? <RoomLink session={session}>{session.title}</RoomLink> : session.title),
    },
    { title: words.state, cell: (session) => <SessionState session={session} /> },
    ...(sessions.some(({ class_id }) => class_id === null)
      ? [
          {
            title: words.students,
            isNumber: true,
            isMinor: true,
            cell: (one: ExamSession) => one.chosen_students ?? '–',
          },
        ]
      : []),
    { title: words.opens, sortBy: ({ opens_at }) => opens_at, cell: ({ opens_at }) => format.time(opens_at) },
    {
      title: words.closes,
      isMinor: true,
      sortBy: ({ closes_at }) => closes_at,
      cell: ({ closes_at }) => format.time(closes_at),
    },
    {
      title: words.results,
      isMinor: true,
      cell: ({ results_visible, is_released }) => (is_released ? words.released : words.visible[results_visible]),
    },
    ...(sessions.some(isChanger)
      ? [
          {
            title: t.common.actions,
            isActions: true,
            cell: (session: ExamSession) => isChanger(session) && <SessionMenu session={session} />,
          },
        ]
      : []),
  ];
}
