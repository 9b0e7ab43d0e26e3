import { useQuery } from '@tanstack/react-query';
import { CalendarPlus, UserRoundCog } from 'lucide-react';
import { useState } from 'react';
import { useUser } from '../api/use-session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { isSupervisor, mayChange, type SchoolClass } from '../teaching-model/classes.ts';
import { sessionsQuery } from '../teaching-model/session-list.ts';
import { Button } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Fetched } from '../ui/states.tsx';
import { ClassAccommodations } from './accommodations/class-accommodations.tsx';
import { SessionTable } from './session-table.tsx';

/** The exam sessions of a class, which its instructors plan and change. */
export function ClassSessions({ of }: { of: SchoolClass }) {
  const t = useStrings();
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
            <SessionTable
              caption={t.examSessions.title}
              sessions={sessions}
              rights={{ isWatcher: isSupervisor(of, user), isChanger: () => isChanger }}
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
