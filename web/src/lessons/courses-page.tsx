import { useQuery } from '@tanstack/react-query';
import { CircleCheckBig } from 'lucide-react';
import { useUser } from '../session/use-session.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Badge, Card, ProgressBar } from '../ui/card.tsx';
import { classes } from '../ui/classes.ts';
import { Page } from '../ui/page.tsx';
import { Empty, Fetched, Loading } from '../ui/states.tsx';
import { CourseIcon } from './course-icon.tsx';
import { CourseTree } from './course-tree.tsx';
import { type Course, coursesQuery, nextTheme, themesOf } from './queries.ts';

/** All courses, the user's progress in each, and the next lesson. */
export function CoursesPage() {
  const t = useStrings();
  const courses = useQuery(coursesQuery);
  return (
    <Page title={t.lessons.title} lead={t.lessons.lead}>
      <Fetched query={courses} skeleton={<Loading rows={2} className="h-64" />}>
        {(data) =>
          data.length === 0 ? (
            <NoCourses />
          ) : (
            <div className={classes('grid items-start gap-5', data.length > 1 && 'xl:grid-cols-2')}>
              {data.map((course) => (
                <CourseCard key={course.id} course={course} />
              ))}
            </div>
          )
        }
      </Fetched>
    </Page>
  );
}

function CourseCard({ course }: { course: Course }) {
  const t = useStrings();
  const { completed_themes, total_themes, percent } = course.progress;
  const next = nextTheme(course);
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
      {course.sections.length > 0 ? (
        <nav aria-label={course.name} className="-mx-2 border-t pt-3">
          <CourseTree course={course} openAt={next?.id} />
        </nav>
      ) : (
        <p className="text-sm text-ink-soft">{t.lessons.emptyCourse}</p>
      )}
    </Card>
  );
}

function GoOn({ course }: { course: Course }) {
  const t = useStrings();
  const next = nextTheme(course);
  const [first] = themesOf(course);
  if (!first) return null;
  const params = { themeId: String((next ?? first).id) };
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <ButtonLink to="/lessons/$themeId" params={params} look={next ? 'primary' : 'plain'}>
        {!next ? t.lessons.readAgain : course.progress.completed_themes === 0 ? t.lessons.begin : t.lessons.goOn}
        <span className="sr-only">: {course.name}</span>
      </ButtonLink>
      <p className="flex min-w-0 items-center gap-2 text-sm text-ink-soft">
        {next ? (
          t.lessons.goOnWith(next.title)
        ) : (
          <>
            <CircleCheckBig size={16} className="text-good" aria-hidden="true" /> {t.lessons.finished}
          </>
        )}
      </p>
    </div>
  );
}

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
