import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ExamSession } from '../../teaching-model/exam-sessions.ts';
import { ButtonLink } from '../../ui/button-link.tsx';

type OfSession = { session: Pick<ExamSession, 'id' | 'class_id'>; children: ReactNode };

/** A link to the room of a session, whose address has its class. */
export function RoomLink({
  session: { id, class_id },
  className = 'underline',
  children,
}: OfSession & { className?: string }) {
  const sessionId = `${id}`;
  return class_id === null ? (
    <Link to="/exam-sessions/$sessionId" params={{ sessionId }} className={className}>
      {children}
    </Link>
  ) : (
    <Link
      to="/classes/$classId/sessions/$sessionId"
      params={{ classId: `${class_id}`, sessionId }}
      className={className}
    >
      {children}
    </Link>
  );
}

/** The same as a button. */
export function RoomButton({ session: { id, class_id }, children }: OfSession) {
  const sessionId = `${id}`;
  return class_id === null ? (
    <ButtonLink to="/exam-sessions/$sessionId" params={{ sessionId }}>
      {children}
    </ButtonLink>
  ) : (
    <ButtonLink to="/classes/$classId/sessions/$sessionId" params={{ classId: `${class_id}`, sessionId }}>
      {children}
    </ButtonLink>
  );
}
