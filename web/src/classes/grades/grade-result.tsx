import { Check } from 'lucide-react';
import { useUser } from '../../api/use-session.ts';
import { useFormat, useStrings } from '../../strings/use-strings.tsx';
import type { ClassGrades } from '../../teaching-model/classes.ts';
import { LateGrade } from '../../teaching-model/due-state.tsx';
import { AttemptLink } from '../../teaching-model/person-link.tsx';
import { classes } from '../../ui/classes.ts';
import { Tries } from '../class-figures.tsx';

type Grade = ClassGrades['students'][number]['results'][number];

/** The grade of a student in an exam or a laboratory, as a link to the attempt. */
export function GradeResult({ grade, isDropped }: { grade: Grade; isDropped: boolean }) {
  const t = useStrings();
  const format = useFormat();
  const isStaff = useUser().role !== 'student';
  if (!grade) return <Missing isDropped={isDropped} />;
  const { attempts, attempt_id, score, max_score, passed, is_active, is_awaiting_grading, late } = grade;
  const isGraded = score !== null && max_score !== null;
  const points = isGraded
    ? `${format.decimal(score)} / ${format.decimal(max_score)}`
    : is_awaiting_grading
      ? t.answers.awaitingShort
      : t.classes.notGraded;
  return (
    <>
      <span className={classes('flex items-center gap-1 tabular-nums', isDropped && 'line-through')}>
        {attempt_id === null || !isStaff ? (
          points
        ) : (
          <AttemptLink id={attempt_id} className="text-accent underline underline-offset-2">
            {points}
          </AttemptLink>
        )}
        {passed && <Check size={14} role="img" aria-label={t.classes.passed} className="shrink-0 text-good" />}
      </span>
      <LateGrade late={late} />
      <Dropped isDropped={isDropped} />
      <Tries attempts={attempts} isActive={is_active} />
    </>
  );
}

/** A grade that is missing, which is not a zero. */
export function Missing({ isDropped }: { isDropped: boolean }) {
  const t = useStrings();
  return (
    <span className="text-ink-soft">
      <span aria-hidden="true">–</span>
      <span className="sr-only">{t.gradeBook.missing}</span>
      <Dropped isDropped={isDropped} />
    </span>
  );
}

/** Says that a grade is among the lowest ones, which do not count. */
export function Dropped({ isDropped }: { isDropped: boolean }) {
  const t = useStrings();
  if (!isDropped) return null;
  return (
    <span className="block text-xs text-ink-soft" title={t.gradeBook.droppedHelp}>
      {t.gradeBook.dropped}
    </span>
  );
}
