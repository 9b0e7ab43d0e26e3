import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Kind } from '../api/kinds.ts';
import { ButtonLink } from '../ui/button-link.tsx';
import { pages } from './assessments.ts';
import { type Course, type CourseAssessment, courseAssessmentsQuery, courseQuery, lessonsOf } from './courses.ts';
import type { ClosedOf } from './openings.tsx';

/** Something to do in a course. */
export type WayOn = { kind: 'lesson' | Kind; id: number; title: string };

/** Where somebody is in a course: a lesson, an exam or a laboratory, and its section, if it has one. */
type Position = { kind: WayOn['kind']; id: number; section_id?: number | null | undefined };

/**
 * What is open to a user in a course and not completed: the lessons after the section of a laboratory, then the lessons before it, then laboratories
 * and exams.
 */
export function leftIn(
  course: Course,
  assessments: readonly CourseAssessment[],
  closedOf: ClosedOf,
  from?: Position,
): WayOn[] {
  const isHere = ({ kind, id }: WayOn): boolean => kind === from?.kind && id === from.id;
  const place = course.sections.findIndex(({ id }) => id === from?.section_id);
  const after = course.sections.slice(place + 1).flatMap(({ themes }) => themes);
  const lessons = [...new Set([...after, ...lessonsOf(course)])]
    .filter(({ is_completed, section_id }) => !is_completed && !closedOf('section', section_id))
    .map(({ id, title }): WayOn => ({ kind: 'lesson', id, title }));
  const others = assessments.filter(({ is_passed, kind, id }) => !is_passed && !closedOf(kind, id));
  return [...lessons, ...others].filter((one) => !isHere(one));
}

/** The course of an exam or a laboratory, with all of its exams and laboratories. Undefined while it is loaded, and where there is none. */
export function useCourseOfAssessment({
  course_id,
  section_id,
}: {
  course_id?: number | null | undefined;
  section_id?: number | null | undefined;
}) {
  const query = section_id ? { section_id } : { course_id: course_id ?? 0 };
  const { data: assessments } = useQuery({
    ...courseAssessmentsQuery(query),
    enabled: Boolean(section_id || course_id),
  });
  // It is one of them, so the list names its course.
  const id = assessments?.[0]?.course_id;
  const { data: course } = useQuery({ ...courseQuery(id ?? 0), enabled: id !== undefined });
  return course && assessments && { course, assessments };
}

/** A button that leads to a lesson, an exam or a laboratory. */
export function WayOnLink({
  to: { kind, id },
  look = 'primary',
  children,
}: {
  to: Pick<WayOn, 'kind' | 'id'>;
  look?: 'primary' | 'plain';
  children: ReactNode;
}) {
  const shown = { look, className: 'max-w-full py-2 text-left whitespace-normal!', children };
  if (kind === 'lesson') return <ButtonLink to="/lessons/$lessonId" params={{ lessonId: `${id}` }} {...shown} />;
  return <ButtonLink to={pages[kind].one} params={{ assessmentId: `${id}` }} {...shown} />;
}
