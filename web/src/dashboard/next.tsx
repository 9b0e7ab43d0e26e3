import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowRight, BookOpen, School } from 'lucide-react';
import { useUser } from '../api/use-session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { type CourseSummary, nextCourseQuery } from '../teaching-model/courses.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { ProgressBar } from '../ui/card.tsx';
import { Empty, Fetched, Skeleton } from '../ui/states.tsx';
import { Step } from '../ui/step.tsx';
import { hasLearned, statsQuery } from './queries.ts';
import { useNow } from './use-now.ts';

/** The lesson to go on with. Somebody new is told how to begin; staff see it once they learn themselves. */
export function Next() {
  const { next: words } = useStrings().dashboard;
  const isStudent = useUser().role === 'student';
  const course = useQuery(nextCourseQuery);
  const { open, hasRunning } = useNow();
  const { data: stats } = useQuery(statsQuery);
  const isNew = stats !== undefined && !hasLearned(stats);
  if (!isStudent && isNew) return null;
  return (
    <section aria-labelledby="next" className="flex flex-col gap-3">
      <h2 id="next" className="text-lg font-semibold">
        {isNew ? words.first : words.title}
      </h2>
      <Fetched query={course} skeleton={<Skeleton className="h-24" />}>
        {(data) => <Lessons course={data} isMain={!hasRunning && open.length === 0} />}
      </Fetched>
      {isNew && (
        <Step
          icon={School}
          label={words.withCode}
          title={words.joinClass}
          action={
            <ButtonLink look="plain" to="/classes">
              {words.toClasses} <ArrowRight size={16} aria-hidden="true" />
            </ButtonLink>
          }
        >
          {words.joinHelp}
        </Step>
      )}
    </section>
  );
}

/** The next lesson of a course. A finished course is given where all courses are finished. */
function Lessons({ course, isMain }: { course: CourseSummary | null; isMain: boolean }) {
  const t = useStrings();
  const words = t.dashboard.next;
  const lesson = course?.next_theme;
  if (!course) return <Empty title={words.nothing}>{words.nothingHelp}</Empty>;
  const { completed_themes, total_themes, percent } = course.progress;
  if (completed_themes === total_themes) {
    return (
      <Empty title={words.allDone} action={<ButtonLink to="/exams">{words.toExams}</ButtonLink>}>
        {words.allDoneHelp}
      </Empty>
    );
  }
  return (
    <Step
      icon={BookOpen}
      label={completed_themes > 0 ? words.goOn : words.begin}
      // Without an open lesson, the course says what opens the next one.
      title={lesson?.title ?? course.name}
      action={
        lesson && (
          <ButtonLink
            to="/lessons/$lessonId"
            params={{ lessonId: String(lesson.id) }}
            look={isMain ? 'primary' : 'plain'}
          >
            {words.read} <ArrowRight size={16} aria-hidden="true" />
          </ButtonLink>
        )
      }
    >
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Link
          to="/courses/$courseId"
          params={{ courseId: `${course.id}` }}
          className="inline-flex min-h-6 items-center text-accent underline underline-offset-2"
        >
          {words.inCourse(course.name)}
        </Link>
        {completed_themes > 0 && (
          <>
            {` · ${t.lessons.progress(completed_themes, total_themes)}`}
            <span className="w-32">
              <ProgressBar value={percent} label={t.lessons.progressLabel(course.name)} />
            </span>
          </>
        )}
      </span>
    </Step>
  );
}
