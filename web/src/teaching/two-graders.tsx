import { useFormat, useStrings } from '../strings/use-strings.tsx';
import type { GradedResult, OpenedResult } from './grading-queries.ts';

/** Whether two people have graded a result, and differ. */
export const isUnsettled = ({ has_two_graders, grade_count }: GradedResult): boolean =>
  has_two_graders && grade_count === 2;

/** How far a result is that two people grade. Nothing where one does. */
export function TwoGraders({ result }: { result: OpenedResult }) {
  const { grading: words } = useStrings();
  const format = useFormat();
  const { grades, grade_count, has_own_grade, has_two_graders, is_decider, max_difference } = result;
  if (!has_two_graders) return null;
  const [one, two] = grades.map(({ points_earned }) => Math.round(100 * points_earned));
  const difference = format.decimal(Math.abs((one ?? 0) - (two ?? 0)) / 100);
  return (
    <p role="status" className="panel p-3 text-sm">
      {isUnsettled(result)
        ? `${words.differs(difference, format.decimal(max_difference ?? 0))} ${is_decider ? words.settleHelp : words.awaitsSettlement}`
        : grade_count === 0
          ? words.byTwo
          : has_own_grade
            ? words.ownGraded
            : words.otherGraded}
    </p>
  );
}
