import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import type { Kind } from '../api/kinds.ts';
import { useStrings } from '../strings/use-strings.tsx';
import {
  type Course,
  type CourseAssessment,
  courseAssessmentsQuery,
  courseQuery,
  lessonsOf,
} from '../teaching-model/courses.ts';
import { ButtonLink } from '../ui/button-link.tsx';

type Parent = { course_id?: number | null; section_id?: number | null };

/** The way on in the course of an exam or a laboratory after its result: the next lesson, or else what is not passed yet. */
export function ContinueLink({ kind, id, parent }: { kind: Kind; id: number; parent: Parent }) {
  const t = useStrings();
  const { course_id, section_id } = parent;
  const query = section_id ? { section_id } : { course_id: course_id ?? 0 };
  const isOfCourse = Boolean(section_id || course_id);
  const { data: assessments } = useQuery({ ...courseAssessmentsQuery(query), enabled: isOfCourse });
  // It is one of them, so the list names its course.
  const courseId = assessments?.[0]?.course_id;
  const { data: course } = useQuery({ ...courseQuery(courseId ?? 0), enabled: courseId !== undefined });
  if (!assessments || !course) return null;
  const next = nextOf(course, assessments, { kind, id, section_id });
  if (!next) return null;
  const text = (
    <>
      {t.lessons.continueTo(next.title)} <ArrowRight size={16} aria-hidden="true" />
    </>
  );
  if (next.kind === 'lesson')
    return (
      <ButtonLink to="/lessons/$lessonId" params={{ lessonId: `${next.id}` }} look="primary">
        {text}
      </ButtonLink>
    );
  return (
    <ButtonLink
      to={next.kind === 'exam' ? '/exams/$assessmentId' : '/laboratories/$assessmentId'}
      params={{ assessmentId: `${next.id}` }}
      look="primary"
    >
      {text}
    </ButtonLink>
  );
}

type Next = { kind: 'lesson' | Kind; id: number; title: string };

/** The first lesson that is not complete: after the section of a laboratory, otherwise of the whole course. */
function nextOf(
  course: Course,
  assessments: readonly CourseAssessment[],
  from: { kind: Kind; id: number; section_id?: number | null | undefined },
): Next | undefined {
  const place = course.sections.findIndex(({ id }) => id === from.section_id);
  const after = course.sections.slice(place + 1).flatMap(({ themes }) => themes);
  const lesson = [...after, ...lessonsOf(course)].find(({ is_completed }) => !is_completed);
  if (lesson) return { kind: 'lesson', id: lesson.id, title: lesson.title };
  return assessments.find(({ kind, id, is_passed }) => !is_passed && !(kind === from.kind && id === from.id));
}
