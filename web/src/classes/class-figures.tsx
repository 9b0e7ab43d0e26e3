import type { ReactNode } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { PersonLink } from '../teaching-model/person-link.tsx';
import { Email } from '../ui/email.tsx';

type Assessment = { kind: 'exam' | 'laboratory'; id: number; title: string };

/** Figures about a class: its progress or its grades. */
export function Figures({
  title,
  lead,
  actions,
  children,
}: {
  title: string;
  lead: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="text-lg font-semibold">{title}</h2>
          <p className="text-sm text-ink-soft">{lead}</p>
        </div>
        <div className="flex flex-wrap gap-2">{actions}</div>
      </div>
      {children}
    </>
  );
}

/** The name and address of a student, as the first cell of a row. */
export const studentCell = ({
  user_id,
  full_name,
  username,
  email,
}: {
  user_id: number;
  full_name: string | null;
  username: string;
  email: string;
}) => (
  <div className="min-w-44 [overflow-wrap:anywhere]">
    <span className="block font-medium">
      <PersonLink id={user_id}>{full_name || username}</PersonLink>
    </span>
    <span className="block text-xs text-ink-soft">
      <Email of={email} />
    </span>
  </div>
);

/** The title of an exam or a laboratory, with its kind and id where another one of the class has the same title. */
export function titleAmong(assessments: readonly Assessment[], { kind, id, title }: Assessment): string {
  const isTwice = assessments.some((other) => other.title === title && !(other.kind === kind && other.id === id));
  return isTwice ? `${title} (${kind} ${id})` : title;
}

/** The number of attempts, and whether one is under way. */
export function Tries({ attempts, isActive }: { attempts: number; isActive: boolean }) {
  const t = useStrings();
  return (
    <span className="block text-xs text-ink-soft">
      {t.classes.tries(attempts)}
      {isActive && `, ${t.classes.underWay}`}
    </span>
  );
}
