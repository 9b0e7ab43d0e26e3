import { useQuery } from '@tanstack/react-query';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import { ownDeadlinesQuery } from './deadlines.ts';
import { DueState } from './due-state.tsx';

/** When a laboratory is due in the classes of a student, on its own page. */
export function LaboratoryDeadlines({ laboratoryId }: { laboratoryId: number }) {
  const t = useStrings();
  const format = useFormat();
  const { data = [] } = useQuery(ownDeadlinesQuery(laboratoryId));
  return data.map(({ class_id, class_name, due_at, passed_at }) => (
    <p key={class_id} className="flex flex-wrap items-center gap-2 text-sm">
      {t.classes.dueIn(format.time(due_at), class_name)}
      <DueState dueAt={due_at} doneAt={passed_at} />
    </p>
  ));
}
