import { Check, CircleSlash2, X } from 'lucide-react';
import { AwaitingBadge } from '../attempts/awaiting.tsx';
import { outcomeOf } from '../attempts/status.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { AttemptLink } from '../teaching-model/person-link.tsx';
import { classes } from '../ui/classes.ts';
import { type Direction, nextDirection, SortHead } from '../ui/lists/sort-head.tsx';
import { TableFrame } from '../ui/lists/table-frame.tsx';
import { PassedBadge, Person, StatusBadge } from './attempt-badges.tsx';
import type { Student } from './queries.ts';

type Field = 'username' | 'score';
type Tasks = { task_id: number; title: string; points: number; is_deleted: boolean }[];

const sticky = 'sticky left-0 z-1 bg-surface';

/** Students by tasks. The first column stays visible during horizontal scrolling. */
export function GradeTable({
  assessment,
  tasks,
  students,
  sort,
  order,
  onSort,
}: {
  assessment: { title: string; max_score: number; passing_score: number };
  tasks: Tasks;
  students: readonly Student[];
  sort: Field;
  order: Direction;
  onSort: (sort: Field, order: Direction) => void;
}) {
  const t = useStrings();
  const headOf = (field: Field, title: string, first: Direction) => {
    const direction = sort === field ? order : undefined;
    return { title, direction, onSort: () => onSort(field, nextDirection(direction, first)) };
  };
  return (
    <div className="flex flex-col gap-2">
      <TableFrame label={assessment.title}>
        <table>
          <caption className="sr-only">{assessment.title}</caption>
          <thead>
            <tr className="*:px-2 *:py-2.5 *:align-bottom *:font-medium">
              <SortHead
                {...headOf('username', t.teaching.student, 'asc')}
                className={classes(sticky, 'border-r text-left')}
                buttonClassName="items-center"
              />
              <SortHead
                {...headOf('score', t.teaching.score, 'desc')}
                className="text-right"
                buttonClassName="items-center"
              />
              <th scope="col" className="text-left">
                {t.teaching.result}
              </th>
              {tasks.map(({ task_id, title, points, is_deleted }) => (
                <th key={task_id} scope="col" className="max-w-24 min-w-20 text-center text-xs break-words">
                  <span className="line-clamp-3" title={title}>
                    {title}
                  </span>
                  <span className="block text-xs font-normal">
                    {is_deleted ? t.teaching.deletedTask : t.teaching.worth(t.common.points(points))}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {students.map((student) => (
              <Row key={student.user_id} student={student} tasks={tasks} title={assessment.title} />
            ))}
          </tbody>
        </table>
      </TableFrame>
      <p className="text-sm text-ink-soft">{t.teaching.needed(assessment.passing_score, assessment.max_score)}</p>
    </div>
  );
}

function Row({ student, tasks, title }: { student: Student; tasks: Tasks; title: string }) {
  const t = useStrings();
  const { attempts, attempt_id, score, max_score, passed, status, results } = student;
  // It has ended, and has no verdict yet.
  const isAwaited = passed === null && (status === 'finished' || status === 'expired');
  return (
    <tr className="group *:px-2">
      <th scope="row" className={classes(sticky, 'max-w-44 min-w-32 border-r text-left font-normal')}>
        <AttemptLink id={attempt_id} className="block break-words hover:underline">
          <Person {...student} />
          <span className="sr-only">: {title}</span>
        </AttemptLink>
        {attempts > 1 && <span className="text-xs text-ink-soft">{t.teaching.attemptCount(attempts)}</span>}
      </th>
      <td className="text-right whitespace-nowrap tabular-nums">
        {score === null ? '–' : t.teaching.scoreOf(score, max_score)}
      </td>
      <td>
        {passed === null && !isAwaited ? (
          <StatusBadge status={status} />
        ) : (
          <PassedBadge attempt={{ passed, is_awaiting_grading: isAwaited }} />
        )}
      </td>
      {tasks.map((task, index) => (
        <td key={task.task_id} className="text-center">
          <Cell result={results[index] ?? null} />
        </td>
      ))}
    </tr>
  );
}

const cellIcons = { passed: Check, part: CircleSlash2, failed: X } as const;
const cellColours = {
  passed: 'bg-good-soft text-good',
  part: 'bg-warn-soft text-warn',
  failed: 'bg-bad-soft text-bad',
} as const;

function Cell({ result }: { result: Student['results'][number] }) {
  const t = useStrings();
  if (result?.is_awaiting_grading) return <AwaitingBadge />;
  if (!result)
    return (
      <span className="text-ink-soft">
        <span aria-hidden="true">–</span>
        <span className="sr-only">{t.teaching.notGraded}</span>
      </span>
    );
  const outcome = outcomeOf(result);
  const Icon = cellIcons[outcome];
  return (
    <span className={classes('inline-flex items-center gap-1 rounded px-2 py-0.5 tabular-nums', cellColours[outcome])}>
      <Icon size={14} aria-hidden="true" /> {result.points_earned}
      <span className="sr-only">
        {{ passed: t.teaching.passed, part: t.attempts.taskPassedInPart, failed: t.teaching.failed }[outcome]}
      </span>
    </span>
  );
}
