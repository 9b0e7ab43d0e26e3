import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { pageSize } from '../api/list-query.ts';
import { useUser } from '../api/use-session.ts';
import { RunningAttempts, useHasRunning } from '../attempts/running-attempts.tsx';
import { useAddress } from '../routing/location-context.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { type CourseSummary, summariesQuery } from '../teaching-model/courses.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { classes } from '../ui/classes.ts';
import { Pages } from '../ui/lists/pages.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Fetched, Loading } from '../ui/states.tsx';
import { CourseCard, isFinished } from './course-card.tsx';

/** The courses, the user's progress in each, and the next lesson. The lessons of a course are loaded when they are shown. */
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
    <div className={classes('grid items-start gap-5', courses.length > 1 && 'xl:grid-cols-2')}>
      {courses.map((course) => (
        <CourseCard key={course.id} course={course} isOpenAtFirst={course.id === shown} />
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
