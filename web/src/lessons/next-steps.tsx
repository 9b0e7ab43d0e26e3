import { useQuery } from '@tanstack/react-query';
import { ArrowRight, BookOpen, FlaskConical, GraduationCap, Library } from 'lucide-react';
import { useId } from 'react';
import { useStrings } from '../strings/use-strings.tsx';
import { type Course, courseAssessmentsQuery, type Lesson, nextCourseQuery } from '../teaching-model/courses.ts';
import { OpensLater, useClosed } from '../teaching-model/openings.tsx';
import { leftIn, type WayOn, WayOnLink } from '../teaching-model/way-on.tsx';
import { ButtonLink } from '../ui/button-link.tsx';
import { Empty } from '../ui/states.tsx';
import { Step } from '../ui/step.tsx';

const icons = { lesson: BookOpen, laboratory: FlaskConical, exam: GraduationCap };

/** What to learn after the lessons of a course: what of it is left, one of each kind, then another course. */
export function NextSteps({
  course,
  lesson,
}: {
  course: Course;
  /** The lesson that these steps follow. */
  lesson?: Lesson;
}) {
  const t = useStrings();
  const id = useId();
  const { data: assessments } = useQuery(courseAssessmentsQuery({ course_id: course.id }));
  const { data: next } = useQuery(nextCourseQuery);
  const closedOf = useClosed();
  if (!assessments || next === undefined) return null;
  const left = leftIn(course, assessments, closedOf, lesson && { kind: 'lesson', id: lesson.id });
  const steps = (['lesson', 'laboratory', 'exam'] as const).flatMap(
    (kind) => left.find((one) => one.kind === kind) ?? [],
  );
  const isNew = next && next.id !== course.id && next.progress.completed_themes < next.progress.total_themes;
  const isNothingLeft = steps.length === 0 && !isNew;
  const waiting = [
    ...course.sections.map(({ id: section }) => closedOf('section', section)),
    ...assessments.map((one) => closedOf(one.kind, one.id)),
  ].find((closed) => closed !== undefined);
  if (isNothingLeft && lesson && !lesson.is_completed) return null;
  /** A lesson that is not completed has the primary button itself. */
  const lookOf = (isFirst: boolean) => (isFirst && lesson?.is_completed !== false ? 'primary' : 'plain');
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h2 id={id} className="text-lg font-semibold">
        {t.reader.whatNext}
      </h2>
      {isNothingLeft && waiting && <OpensLater closed={waiting} />}
      {isNothingLeft && !waiting && <Empty title={t.reader.allDone}>{t.reader.allDoneHelp}</Empty>}
      {steps.map((step, index) => (
        <OwnStep key={step.kind} step={step} look={lookOf(index === 0)} />
      ))}
      {isNew && (
        <Step
          icon={Library}
          label={t.reader.nextCourse}
          title={next.name}
          action={
            <ButtonLink to="/courses/$courseId" params={{ courseId: `${next.id}` }} look={lookOf(steps.length === 0)}>
              {t.lessons.toCourse} <ArrowRight size={16} aria-hidden="true" />
            </ButtonLink>
          }
        >
          {next.description}
        </Step>
      )}
    </section>
  );
}

function OwnStep({ step, look }: { step: WayOn; look: 'primary' | 'plain' }) {
  const t = useStrings();
  const { kind, title } = step;
  return (
    <Step
      icon={icons[kind]}
      label={t.reader.stepOf[kind]}
      title={title}
      action={
        <WayOnLink to={step} look={look}>
          {t.reader.open} <span className="sr-only">{title}</span> <ArrowRight size={16} aria-hidden="true" />
        </WayOnLink>
      }
    />
  );
}
