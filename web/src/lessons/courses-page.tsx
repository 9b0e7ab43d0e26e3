import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheckBig } from 'lucide-react';
import { useId } from 'react';
import { pageSize } from '../api/list-query.ts';
import { useUser } from '../api/use-session.ts';
import { RunningAttempts, useHasRunning } from '../attempts/running-attempts.tsx';
import { useAddress } from '../routing/use-address.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { CourseIcon } from '../teaching-model/course-icon.tsx';
import { type CourseSummary, summariesQuery } from '../teaching-model/courses.ts';
import { WayOnLink } from '../teaching-model/way-on.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Badge, Card } from '../ui/card.tsx';
import { classes } from '../ui/classes.ts';
import { Pages } from '../ui/lists/pages.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Fetched, Loading } from '../ui/states.tsx';
import { CourseProgress } from './course-progress.tsx';

/** The courses, the user's progress in each, and the next lesson. */
export function CoursesPage() {
  const t = useStrings();
  const { search, onSearch } = useAddress('/courses');
  const courses = useQuery(summariesQuery(search));
  return (
    <Page title={t.lessons.title} lead={t.lessons.lead}>
      <Running />
      <Fetched query={courses} skeleton={<Loading rows={2} className="h-64" />}>
        {({ items, total }) => (
          <>
            {total === 0 ? <NoCourses /> : <Cards courses={items} />}
            <Pages page={search.page ?? 1} {...{ pageSize, total }} onChange={(page) => onSearch({ page }, false)} />
          </>
        )}
      </Fetched>
    </Page>
  );
}

/** What runs, so that nobody reads on while a clock does. */
function Running() {
  const t = useStrings();
  const id = useId();
  if (!useHasRunning()) return null;
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h2 id={id} className="text-lg font-semibold">
        {t.lessons.running}
      </h2>
      <RunningAttempts />
    </section>
  );
}

function Cards({ courses }: { courses: CourseSummary[] }) {
  const shown = current(courses)?.id;
  return (
    <div className={classes('grid grid-cols-1 items-start gap-5', courses.length > 1 && 'xl:grid-cols-2')}>
      {courses.map((course) => (
        <CourseCard key={course.id} course={course} isCurrent={course.id === shown} />
      ))}
    </div>
  );
}

/** The course that the user is reading, or else the first one with lessons to read. */
const current = (courses: CourseSummary[]): CourseSummary | undefined =>
  courses.find((course) => course.progress.completed_themes > 0 && !isFinished(course)) ??
  courses.find((course) => !isFinished(course)) ??
  courses[0];

function NoCourses() {
  const t = useStrings();
  const isAdmin = useUser().role === 'admin';
  return (
    <Empty
      title={t.lessons.nothing}
      action={isAdmin && <ButtonLink to="/administration/courses">{t.lessons.makeCourse}</ButtonLink>}
    >
      {isAdmin ? t.lessons.nothingHelpAdmin : t.lessons.nothingHelp}
    </Empty>
  );
}

const isFinished = ({ progress }: CourseSummary): boolean => progress.completed_themes === progress.total_themes;

/** A course, the user's progress in it, and the way on. */
function CourseCard({ course, isCurrent }: { course: CourseSummary; isCurrent: boolean }) {
  const t = useStrings();
  return (
    <Card className="flex flex-col gap-4 p-5 sm:p-6">
      <div className="flex gap-4">
        <CourseIcon icon={course.icon} />
        <div className="min-w-0">
          <h2 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-lg font-semibold">
            <Link
              to="/courses/$courseId"
              params={{ courseId: `${course.id}` }}
              className="break-words underline-offset-4 hover:underline"
            >
              {course.name}
            </Link>
            {!course.is_active && <Badge tone="warn">{t.lessons.inactive}</Badge>}
          </h2>
          {course.description && <p className="mt-1 line-clamp-4 text-sm text-ink-soft">{course.description}</p>}
        </div>
      </div>
      {course.progress.total_themes > 0 ? (
        <>
          <CourseProgress name={course.name} progress={course.progress} />
          <GoOn course={course} look={isCurrent ? 'primary' : 'plain'} />
        </>
      ) : (
        <p className="text-sm text-ink-soft">{t.lessons.emptyCourse}</p>
      )}
    </Card>
  );
}

function GoOn({ course, look }: { course: CourseSummary; look: 'primary' | 'plain' }) {
  const t = useStrings();
  const { id, name, next_theme: next, progress } = course;
  // What is left is closed, as the page of the course says.
  if (!next || isFinished(course))
    return (
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <ButtonLink to="/courses/$courseId" params={{ courseId: `${id}` }} look="plain">
          {t.lessons.toCourse} <span className="sr-only">{name}</span>
        </ButtonLink>
        {next && (
          <p className="flex min-w-0 items-center gap-2 text-sm text-ink-soft">
            <CircleCheckBig size={16} className="text-good" aria-hidden="true" /> {t.lessons.finished}
          </p>
        )}
      </div>
    );
  return (
    <div className="flex">
      <WayOnLink to={{ kind: 'lesson', id: next.id }} look={look}>
        {progress.completed_themes === 0 ? t.lessons.begin : t.lessons.continueTo(next.title)}
        <span className="sr-only">: {name}</span>
      </WayOnLink>
    </div>
  );
}
