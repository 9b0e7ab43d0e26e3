import { Link } from '../routing/link.tsx';
import { useFormat, useStrings } from '../strings/use-strings.tsx';
import type { Overview } from '../teaching-model/overview.ts';
import { OverviewRow, rowLink } from './overview-row.tsx';

type Student = Overview['stuck'][number];

/** Students who do not get on, and with what. */
export function StuckStudents({ students, total }: { students: readonly Student[]; total: number }) {
  const t = useStrings();
  const words = t.teaching.overview;
  const format = useFormat();
  return (
    <>
      <ul className="divide-y">
        {students.map((student) => {
          const { user_id, class_id, class_name, kind, id, title, attempts, last_at } = student;
          return (
            <OverviewRow key={`${user_id} ${class_id} ${kind} ${id}`} link={<StudentLink student={student} />}>
              {kind === 'lesson'
                ? words.stuckLesson(title)
                : words.stuckAssessment(t.teaching.kinds[kind], title, attempts)}
              {' · '}
              {[...(class_name === null ? [] : [class_name]), format.ago(last_at)].join(' · ')}
            </OverviewRow>
          );
        })}
      </ul>
      {total > students.length && <p className="text-sm text-ink-soft">{words.more(total - students.length)}</p>}
    </>
  );
}

/** Leads to the last attempt, or for a lesson to the progress of the class. */
function StudentLink({ student }: { student: Student }) {
  const { attempt_id, class_id, username, full_name } = student;
  const name = full_name || username;
  if (attempt_id !== null)
    return (
      <Link to="/teaching/attempts/$attemptId" params={{ attemptId: `${attempt_id}` }} className={rowLink}>
        {name}
      </Link>
    );
  if (class_id === null) return name;
  return (
    <Link to="/classes/$classId/progress" params={{ classId: `${class_id}` }} className={rowLink}>
      {name}
    </Link>
  );
}
