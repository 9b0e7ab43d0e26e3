import { useQuery } from '@tanstack/react-query';
import { useUser } from '../api/use-session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { mayChange } from '../teaching-model/classes.ts';
import { chosenSessionsQuery } from '../teaching-model/exam-sessions.ts';
import { SessionTable } from './session-table.tsx';

/** The sessions for chosen students that an instructor sees. */
export function ChosenSessions() {
  const t = useStrings();
  const user = useUser();
  const { data: sessions = [] } = useQuery(chosenSessionsQuery);
  if (sessions.length === 0) return null;
  const title = t.examSessions.choosing.sessions;
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-lg font-semibold">{title}</h2>
      <SessionTable
        caption={title}
        sessions={sessions}
        rights={{ isWatcher: true, isChanger: (session) => mayChange(session, user) }}
      />
    </section>
  );
}
