import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** Leads staff to an attempt. */
export const AttemptLink = ({ id, className, children }: { id: number; className: string; children: ReactNode }) => (
  <Link to="/teaching/attempts/$attemptId" params={{ attemptId: `${id}` }} className={className}>
    {children}
  </Link>
);
