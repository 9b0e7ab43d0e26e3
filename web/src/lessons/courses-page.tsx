import { useQuery } from '@tanstack/react-query';
import { ChevronRight, CircleCheckBig } from 'lucide-react';
import { useId, useState } from 'react';
import { pageSize } from '../api/list-query.ts';
import { useUser } from '../api/use-session.ts';
import { RunningAttempts, useHasRunning } from '../attempts/running-attempts.tsx';
import { useAddress } from '../routing/use-address.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { CourseIcon } from '../teaching-model/course-icon.tsx';
import { type CourseSummary, courseQuery, summariesQuery } from '../teaching-model/courses.ts';
import { Button } from '../ui/button.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Badge, Card, ProgressBar } from '../ui/card.tsx';
import { classes } from '../ui/classes.ts';
import { Pages } from '../ui/lists/pages.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Fetched, Loading } from '../ui/states.tsx';
import { CourseTree } from './course-tree.tsx';

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

const isFinished = ({ progress }: CourseSummary): boolean => progress.completed_themes === progress.total_themes;

/** A course, the user's progress in it, and its lessons. */
function CourseCard({ course, isOpenAtFirst }: { course: CourseSummary; isOpenAtFirst: boolean }) {
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
