import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useUser } from '../api/use-session.ts';

const look = 'text-accent underline underline-offset-2 [overflow-wrap:anywhere]';

/** A name. It leads administrators to the page of the person, instructors to the person's attempts, and students nowhere. */
export function PersonLink({ id, children }: { id: number; children: ReactNode }) {
  const { role } = useUser();
  if (role === 'student') return children;
  return role === 'admin' ? (
    <Link to="/administration/users/$userId" params={{ userId: `${id}` }} className={look}>
      {children}
    </Link>
  ) : (
    <Link to="/teaching/attempts" search={{ user_id: id }} className={look}>
      {children}
    </Link>
  );
}

/** Leads staff to an attempt. */
export const AttemptLink = ({ id, className, children }: { id: number; className: string; children: ReactNode }) => (
  <Link to="/teaching/attempts/$attemptId" params={{ attemptId: `${id}` }} className={className}>
    {children}
  </Link>
);
