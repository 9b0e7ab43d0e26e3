import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { classQuery } from '../teaching-model/classes.ts';
import { Crumb, Crumbs } from '../ui/crumbs.tsx';
import { Page } from '../ui/page.tsx';

type Assessment = { kind: 'exam' | 'laboratory'; id: number; title: string };

/** The page of figures about a class: its progress or its grades. */
export function ClassFigures({
  classId,
  above,
  title,
  titleOf,
  lead,
  actions,
  children,
}: {
  classId: string;
  /** A crumb of the page of figures that this one belongs to. */
  above?: ReactNode;
  /** Until the name of the class is known. */
  title: string;
  titleOf: (name: string) => string;
  lead: string;
  actions: ReactNode;
  children: ReactNode;
}) {
  const t = useStrings();
  const { data } = useQuery(classQuery(Number(classId)));
  return (
    <Page
      title={data ? titleOf(data.name) : title}
      crumbs={
        <Crumbs>
          <Crumb to="/classes">{t.classes.back}</Crumb>
          <Crumb to="/classes/$classId" params={{ classId }}>
            {data?.name ?? t.classes.class}
          </Crumb>
          {above}
        </Crumbs>
      }
      lead={lead}
      actions={actions}
    >
      {children}
    </Page>
  );
}

/** The name and address of a student, as the first cell of a row. */
export const studentCell = ({
  full_name,
  username,
  email,
}: {
  full_name: string | null;
  username: string;
  email: string;
}) => (
  <div className="min-w-44 [overflow-wrap:anywhere]">
    <span className="block font-medium">{full_name || username}</span>
    <span className="block text-xs text-ink-soft">{email}</span>
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
