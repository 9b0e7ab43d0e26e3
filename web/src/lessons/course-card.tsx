import { useQuery } from '@tanstack/react-query';
import { ChevronRight, CircleCheckBig } from 'lucide-react';
import { useId, useState } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { CourseIcon } from '../teaching-model/course-icon.tsx';
import { type CourseSummary, courseQuery } from '../teaching-model/courses.ts';
import { Button } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Badge, Card, ProgressBar } from '../ui/card.tsx';
import { classes } from '../ui/classes.ts';
import { Fetched, Loading } from '../ui/states.tsx';
import { CourseTree } from './course-tree.tsx';

export const isFinished = ({ progress }: CourseSummary): boolean => progress.completed_themes === progress.total_themes;

/** A course, the user's progress in it, and its lessons. */
export function CourseCard({ course, isOpenAtFirst }: { course: CourseSummary; isOpenAtFirst: boolean }) {
  const t = useStrings();
  const { completed_themes, total_themes, percent } = course.progress;
  return (
    <Card className="flex flex-col gap-4 p-5 sm:p-6">
      <div className="flex gap-4">
        <CourseIcon icon={course.icon} />
        <div className="min-w-0">
          <h2 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-lg font-semibold">
            {course.name} {!course.is_active && <Badge tone="warn">{t.lessons.inactive}</Badge>}
          </h2>
          {course.description && <p className="mt-1 text-sm text-ink-soft">{course.description}</p>}
        </div>
      </div>
      {total_themes > 0 && (
        <div className="flex flex-col gap-1.5">
          <div className="flex justify-between gap-4 text-sm text-ink-soft tabular-nums">
            <span>{t.lessons.progress(completed_themes, total_themes)}</span>
            <span>{Math.round(percent)} %</span>
          </div>
          <ProgressBar value={percent} label={t.lessons.progressLabel(course.name)} />
        </div>
      )}
      <GoOn course={course} />
      {course.section_count > 0 ? (
        <Sections course={course} isOpenAtFirst={isOpenAtFirst} />
      ) : (
        <p className="text-sm text-ink-soft">{t.lessons.emptyCourse}</p>
      )}
    </Card>
  );
}

function Sections({ course, isOpenAtFirst }: { course: CourseSummary; isOpenAtFirst: boolean }) {
  const t = useStrings();
  const id = useId();
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <div className="-mx-2 flex flex-col items-start gap-2 border-t pt-3">
      <Button look="quiet" size="small" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        <ChevronRight size={16} aria-hidden="true" className={classes('transition-transform', isOpen && 'rotate-90')} />
        {t.lessons.showContents}
        <span className="sr-only">: {course.name}</span>
      </Button>
      <div id={id} hidden={!isOpen} className="w-full">
        {isOpen && <LoadedSections course={course} />}
      </div>
    </div>
  );
}

function LoadedSections({ course: { id, name, next_theme } }: { course: CourseSummary }) {
  const course = useQuery(courseQuery(id));
  return (
    <Fetched query={course} skeleton={<Loading rows={3} className="h-8" />}>
      {(data) => (
        <nav aria-label={name}>
          <CourseTree course={data} openAt={next_theme?.id} />
        </nav>
      )}
    </Fetched>
  );
}

function GoOn({ course }: { course: CourseSummary }) {
  const t = useStrings();
  const { next_theme: next, progress } = course;
  if (!next) return null;
  const isOver = isFinished(course);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <ButtonLink to="/lessons/$lessonId" params={{ lessonId: String(next.id) }} look={isOver ? 'plain' : 'primary'}>
        {isOver ? t.lessons.readAgain : progress.completed_themes === 0 ? t.lessons.begin : t.lessons.goOn}
        <span className="sr-only">: {course.name}</span>
      </ButtonLink>
      <p className="flex min-w-0 items-center gap-2 text-sm text-ink-soft">
        {isOver ? (
          <>
            <CircleCheckBig size={16} className="text-good" aria-hidden="true" /> {t.lessons.finished}
          </>
        ) : (
          t.lessons.goOnWith(next.title)
        )}
      </p>
    </div>
  );
}
