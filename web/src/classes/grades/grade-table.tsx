import { useQuery } from '@tanstack/react-query';
import { useUser } from '../../api/use-session.ts';
import { Link } from '../../routing/link.tsx';
import { useFormat, useStrings } from '../../strings/use-strings.tsx';
import type { ClassGrades } from '../../teaching-model/classes.ts';
import { classDeadlinesQuery } from '../../teaching-model/deadlines.ts';
import { DueState } from '../../teaching-model/due-state.tsx';
import { classes } from '../../ui/classes.ts';
import { titleAmong } from '../class-figures.tsx';
import { GradeColumnHead } from './grade-column-head.tsx';
import { Head, type Sort, Worth } from './grade-heads.tsx';
import { GradeResult } from './grade-result.tsx';
import { GradeValue } from './grade-value.tsx';

type Student = ClassGrades['students'][number];

const frame = 'relative overflow-x-auto rounded-lg border bg-surface';
const sticky = 'sticky left-0 z-10 bg-surface';

/** Students by exams, laboratories and columns. The students stay visible during horizontal scrolling. A heading sorts. */
export function GradeTable({
  classId,
  grades,
  mayChange,
  ...sort
}: { classId: number; grades: ClassGrades; mayChange: boolean } & Sort) {
  const t = useStrings();
  const { students, subjects: assessments, columns } = grades;
  const words = t.gradeBook;
  const { data: deadlines = [] } = useQuery(classDeadlinesQuery(classId));
  const dueOf = ({ kind, id }: ClassGrades['subjects'][number]) =>
    kind === 'laboratory' ? deadlines.find(({ laboratory_id }) => laboratory_id === id)?.due_at : undefined;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard (axe: scrollable-region-focusable)
    <section aria-label={t.classes.grades} tabIndex={0} className={frame}>
      <table className="w-full border-separate border-spacing-0 text-sm">
        <caption className="sr-only">{t.classes.grades}</caption>
        <thead className="text-ink-soft">
          <tr className="*:border-b *:px-2 *:py-2 *:text-left *:align-bottom *:font-medium">
            <Head {...sort} name="username" title={t.classes.member} className={classes(sticky, 'border-r')} />
            <Head {...sort} name="percent" title={words.total} />
            {assessments.map((assessment) => {
              const title = titleAmong(assessments, assessment);
              return (
                <Head
                  key={assessment.key}
                  {...sort}
                  name={assessment.key}
                  title={assessment.is_active ? title : t.classes.retired(title)}
                >
                  <Worth max={assessment.max_score} weight={assessment.weight} />
                </Head>
              );
            })}
            {columns.map((column) => (
              <Head key={column.key} {...sort} name={column.key} title={column.name}>
                <Worth max={column.max_score} weight={column.weight} />
                {mayChange && <GradeColumnHead classId={classId} column={column} />}
              </Head>
            ))}
          </tr>
        </thead>
        <tbody>
          {students.map((student) => (
            <tr key={student.user_id} className="group *:border-b *:px-2 *:py-2 last:*:border-b-0 hover:*:bg-sunken">
              <Who student={student} />
              <Total student={student} />
              {assessments.map((assessment, index) => {
                const grade = student.results[index] ?? null;
                return (
                  <td key={assessment.key} className="whitespace-nowrap">
                    <GradeResult grade={grade} isDropped={student.dropped.includes(assessment.key)} />
                    <DueState dueAt={dueOf(assessment)} doneAt={grade?.passed ? grade.submitted_at : null} />
                  </td>
                );
              })}
              {columns.map((column, index) => (
                <td key={column.key} className="whitespace-nowrap">
                  <GradeValue
                    {...{ classId, column, student, mayChange }}
                    value={student.values[index] ?? null}
                    isDropped={student.dropped.includes(column.key)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Who({ student: { user_id, full_name, username, email } }: { student: Student }) {
  const isStaff = useUser().role !== 'student';
  const name = full_name || username;
  return (
    <th scope="row" className={classes(sticky, 'max-w-36 min-w-32 border-r text-left font-normal sm:max-w-56')}>
      {isStaff ? (
        <Link
          to="/teaching/attempts"
          search={{ user_id }}
          className="block font-medium [overflow-wrap:anywhere] text-accent hover:underline"
        >
          {name}
        </Link>
      ) : (
        <span className="block font-medium [overflow-wrap:anywhere]">{name}</span>
      )}
      <span title={email} className="block truncate text-xs text-ink-soft">
        {email}
      </span>
    </th>
  );
}

function Total({ student: { percent, is_passed, missing } }: { student: Student }) {
  const t = useStrings();
  const format = useFormat();
  const words = t.gradeBook;
  return (
    <td className="whitespace-nowrap">
      <span className="block font-medium tabular-nums">
        {percent === null ? '–' : words.percent(format.decimal(percent))}
      </span>
      {is_passed !== null && (
        <span className={classes('block text-xs', is_passed ? 'text-good' : 'text-bad')}>
          {is_passed ? words.passed : words.failed}
        </span>
      )}
      {missing > 0 && (
        <span className="block text-xs text-ink-soft">
          {words.missing}: {missing}
        </span>
      )}
    </td>
  );
}
