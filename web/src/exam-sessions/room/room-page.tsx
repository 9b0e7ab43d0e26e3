import { useQuery } from '@tanstack/react-query';
import { PlugZap } from 'lucide-react';
import type { ReactNode } from 'react';
import { useUser } from '../../api/use-session.ts';
import { useAddress, useParams } from '../../routing/location-context.ts';
import { useStrings } from '../../strings/use-strings.tsx';
import { classQuery, mayControl } from '../../teaching-model/classes.ts';
import { sessionQuery } from '../../teaching-model/exam-sessions.ts';
import { SessionState, UntilChange } from '../../teaching-model/session-facts.tsx';
import { Crumb, Crumbs } from '../../ui/crumbs.tsx';
import { Page } from '../../ui/page.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Loading } from '../../ui/states.tsx';
import { SessionMenu } from '../session-menu.tsx';
import { type RoomAddress, RoomStudents } from './room-students.tsx';
import { useRoom } from './use-room.ts';

/** The room of an exam session of a class, for those who supervise it: each student live. */
export function RoomPage() {
  const t = useStrings();
  const { classId, sessionId } = useParams('/classes/$classId/sessions/$sessionId');
  const address = useAddress('/classes/$classId/sessions/$sessionId');
  const { data: of } = useQuery(classQuery(Number(classId)));
  return (
    <SessionRoom
      id={Number(sessionId)}
      address={address}
      crumbs={
        <Crumbs>
          <Crumb to="/classes">{t.classes.back}</Crumb>
          <Crumb to="/classes/$classId" params={{ classId }}>
            {of?.name ?? t.classes.class}
          </Crumb>
        </Crumbs>
      }
    />
  );
}

/** The same of a session for chosen students. */
export function ChosenRoomPage() {
  const t = useStrings();
  const { sessionId } = useParams('/exam-sessions/$sessionId');
  const address = useAddress('/exam-sessions/$sessionId');
  return (
    <SessionRoom
      id={Number(sessionId)}
      address={address}
      crumbs={
        <Crumbs>
          <Crumb to="/plan-exam" search={{ is_for_chosen: true }}>
            {t.examSessions.choosing.sessions}
          </Crumb>
        </Crumbs>
      }
    />
  );
}

function SessionRoom({ id, address, crumbs }: { id: number; address: RoomAddress; crumbs: ReactNode }) {
  const t = useStrings();
  const { room, isLive, error } = useRoom(id);
  const { data: session } = useQuery(sessionQuery(id));
  const user = useUser();
  const isController = session !== undefined && mayControl(session, user);
  return (
    <Page
      title={room ? t.room.titleOf(room.session.title) : t.room.title}
      crumbs={crumbs}
      actions={isController && <SessionMenu session={session} isEditable={false} />}
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
          <RoomStudents room={room} isController={isController} address={address} />
        </>
      )}
    </Page>
  );
}
