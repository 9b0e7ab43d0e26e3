import { useStrings } from '../strings/use-strings.tsx';
import type { Course } from '../teaching-model/courses.ts';
import { ProgressBar } from '../ui/card.tsx';

/** How many lessons of a course are completed. */
export function CourseProgress({ name, progress }: Pick<Course, 'name' | 'progress'>) {
  const t = useStrings();
  const { completed_themes, total_themes, percent } = progress;
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex justify-between gap-4 text-sm text-ink-soft tabular-nums">
        <span>{t.lessons.progress(completed_themes, total_themes)}</span>
        <span>{Math.round(percent)} %</span>
      </div>
      <ProgressBar value={percent} label={t.lessons.progressLabel(name)} />
    </div>
  );
}
