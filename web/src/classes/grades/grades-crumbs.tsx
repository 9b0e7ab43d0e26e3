import { useStrings } from '../../strings/use-strings.tsx';
import { Crumb, Crumbs } from '../../ui/crumbs.tsx';

/** What is above a page of the grade book. */
export function GradesCrumbs({ classId, name }: { classId: string; name: string | undefined }) {
  const t = useStrings();
  return (
    <Crumbs>
      <Crumb to="/classes">{t.classes.back}</Crumb>
      <Crumb to="/classes/$classId" params={{ classId }}>
        {name ?? t.classes.class}
      </Crumb>
      <Crumb to="/classes/$classId" params={{ classId }} search={{ tab: 'grades' }}>
        {t.classes.grades}
      </Crumb>
    </Crumbs>
  );
}
