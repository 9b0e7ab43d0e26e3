import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { CircleCheckBig, Clock } from 'lucide-react';
import { isRefusal } from '../api/problem.ts';
import { useStrings } from '../strings/use-strings.tsx';
import { type Course, courseQuery, lessonsOf, teachersQuery } from '../teaching-model/courses.ts';
import { useClosed } from '../teaching-model/openings.tsx';
import { WayOnLink } from '../teaching-model/way-on.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Badge, Card } from '../ui/card.tsx';
import { Crumb, Crumbs } from '../ui/crumbs.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Fetched, Loading } from '../ui/states.tsx';
import { CourseProgress } from './course-progress.tsx';
import { CourseTree } from './course-tree.tsx';
import { NextSteps } from './next-steps.tsx';

/** A course: what it is for, its sections with the user's own marks, and the way on in it or after it. */
export function CoursePage() {
  const t = useStrings();
  const id = Number(useParams({ from: '/courses/$courseId' }).courseId);
  const course = useQuery({ ...courseQuery(id), enabled: Number.isSafeInteger(id) });
  const isGone = !Number.isSafeInteger(id) || isRefusal(course.error, 'not_found', 'validation');
  return (
    <Page
      title={course.data?.name ?? (isGone ? t.reader.noSuchCourse : t.lessons.title)}
      crumbs={
        <Crumbs>
          <Crumb to="/courses">{t.lessons.title}</Crumb>
        </Crumbs>
      }
      lead={course.data && <Lead course={course.data} />}
    >
      {isGone ? (
        <Empty title={t.reader.noSuchCourse} action={<ButtonLink to="/courses">{t.reader.backToCourses}</ButtonLink>}>
          {t.reader.noSuchCourseHelp}
        </Empty>
      ) : (
        <Fetched query={course} skeleton={<Loading rows={6} className="h-9" />}>
          {(data) => <Content course={data} />}
        </Fetched>
      )}
    </Page>
  );
}

function Lead({ course }: { course: Course }) {
  const t = useStrings();
  const { data: teachers = [] } = useQuery(teachersQuery(course.id));
  const minutes = lessonsOf(course).reduce((sum, { duration_minutes }) => sum + duration_minutes, 0);
  return (
    <>
      {course.description && <p className="break-words">{course.description}</p>}
      {teachers.length > 0 && <p className="mt-2 text-sm break-words">{t.reader.teachers(teachers)}</p>}
      {(minutes > 0 || !course.is_active) && (
        <p className="mt-2 flex flex-wrap items-center gap-3 text-sm">
          {minutes > 0 && (
            <span className="inline-flex items-center gap-1.5">
              <Clock size={15} aria-hidden="true" /> {t.account.duration(minutes)}
            </span>
          )}
          {!course.is_active && <Badge tone="warn">{t.lessons.inactive}</Badge>}
        </p>
      )}
    </>
  );
}

function Content({ course }: { course: Course }) {
  const t = useStrings();
  const { sections, progress } = course;
  const lessons = lessonsOf(course);
  const closedOf = useClosed();
  const left = lessons.filter(({ is_completed }) => !is_completed);
  const next = left.find(({ section_id }) => !closedOf('section', section_id));
  if (sections.length === 0) return <Empty title={t.lessons.emptyCourse} />;
  return (
    <>
      {lessons.length > 0 && (
        <div className="flex flex-col gap-4">
          <CourseProgress name={course.name} progress={progress} />
          {next ? (
            <div className="flex">
              <WayOnLink to={{ kind: 'lesson', id: next.id }}>
                {progress.completed_themes === 0 ? t.lessons.begin : t.lessons.continueTo(next.title)}
              </WayOnLink>
            </div>
          ) : left.length > 0 ? null : (
            <p className="flex items-center gap-2 font-medium text-good">
              <CircleCheckBig size={18} aria-hidden="true" /> {t.lessons.finished}
            </p>
          )}
        </div>
      )}
      {lessons.length > 0 && !next && <NextSteps course={course} />}
      <section aria-label={t.reader.contents}>
        <Card className="p-2 sm:p-4">
          <CourseTree key={course.id} course={course} openAt="all" />
        </Card>
      </section>
    </>
  );
}
