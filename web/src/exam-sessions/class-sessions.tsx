import { useQuery } from '@tanstack/react-query';
import { CalendarPlus, UserRoundCog } from 'lucide-react';
import { useState } from 'react';
import { isSupervisor, mayChange, type SchoolClass } from '../classes/queries.ts';
import { Link } from '../routing/link.tsx';
import { useUser } from '../session/use-session.ts';
import type { Strings } from '../strings/en/index.ts';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { Button } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Fetched } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { ClassAccommodations } from './class-accommodations.tsx';
import { type ExamSession, sessionsQuery } from './queries.ts';
import { SessionState } from './session-facts.tsx';
import { SessionMenu } from './session-menu.tsx';

/** The exam sessions of a class, which its instructors plan and change. */
export function ClassSessions({ of }: { of: SchoolClass }) {
  const t = useStrings();
  const format = useFormat();
  const user = useUser();
  const isChanger = mayChange(of, user);
  const [isAccommodating, setAccommodating] = useState(false);
  return (
    <section className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <div className="min-w-0">
          <h2 className="text-lg font-semibold">{t.examSessions.title}</h2>
          {isChanger && <p className="text-sm text-ink-soft">{t.examSessions.lead}</p>}
        </div>
        {isChanger && !of.is_archived && (
          <span className="flex flex-wrap gap-2">
            <Button aria-haspopup="dialog" onClick={() => setAccommodating(true)}>
              <UserRoundCog size={16} aria-hidden="true" /> {t.examSessions.accommodations}
            </Button>
            <ButtonLink to="/plan-exam" search={{ class_id: of.id }} look="plain">
              <CalendarPlus size={16} aria-hidden="true" /> {t.examSessions.plan}
            </ButtonLink>
          </span>
        )}
      </div>
      <Fetched query={useQuery(sessionsQuery({ class_id: of.id }))}>
        {(sessions) =>
          sessions.length === 0 ? (
            <p className="text-sm text-ink-soft">
              {t.examSessions.none} {isChanger && !of.is_archived && t.examSessions.planning.noneHelp}
            </p>
          ) : (
            <Table
              caption={t.examSessions.title}
              rows={sessions}
              keyOf={({ id }) => id}
              columns={columnsOf(t, format, { isChanger, isWatcher: isSupervisor(of, user) })}
            />
          )
        }
      </Fetched>
      <Dialog
        title={t.examSessions.accommodations}
        description={t.examSessions.accommodationsOfClass}
        isOpen={isAccommodating}
        onOpenChange={setAccommodating}
        width="max-w-2xl"
      >
        <ClassAccommodations classId={of.id} />
      </Dialog>
    </section>
  );
}

const columnsOf = (
  t: Strings,
  format: ReturnType<typeof useFormat>,
  { isChanger, isWatcher }: { isChanger: boolean; isWatcher: boolean },
): Column<ExamSession>[] => [
  {
    title: t.examSessions.session,
    cell: ({ id, title, class_id }) =>
      isWatcher ? (
        <Link
          to="/classes/$classId/sessions/$sessionId"
          params={{ classId: `${class_id}`, sessionId: `${id}` }}
          className="underline"
        >
          {title}
        </Link>
      ) : (
        title
      ),
  },
  { title: t.examSessions.state, cell: (session) => <SessionState session={session} /> },
  { title: t.examSessions.opens, cell: ({ opens_at }) => format.time(opens_at) },
  { title: t.examSessions.closes, isMinor: true, cell: ({ closes_at }) => format.time(closes_at) },
  {
    title: t.examSessions.results,
    isMinor: true,
    cell: ({ results_visible, is_released }) =>
      is_released ? t.examSessions.released : t.examSessions.visible[results_visible],
  },
  ...(isChanger
    ? [
        {
          title: t.common.actions,
          isNumber: true,
          cell: (session: ExamSession) => <SessionMenu session={session} />,
        },
      ]
    : []),
];
