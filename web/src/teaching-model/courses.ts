import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { type ListSearch, listQuery } from '../api/list-query.ts';
import { ok } from '../api/problem.ts';

/** A course without its sections. */
export type CourseSummary = Answer<'/api/lessons/course-summaries'>[number];
export type Course = Answer<'/api/lessons/courses/{course_id}'>;
export type Section = Course['sections'][number];
export type LessonInTree = Section['themes'][number];
export type Lesson = Answer<'/api/lessons/themes/{theme_id}'>;

/** All lists of courses, for their invalidation. */
export const summariesKey = ['lessons', 'summaries'];

/** A page of the courses. */
export const summariesQuery = (search: ListSearch) =>
  listQuery(summariesKey, search, (options) => api.GET('/api/lessons/course-summaries', options));

/** The course that the user continues with: one that is begun, or else a new one, or else a finished one. Null where there are no lessons. */
export const nextCourseQuery = queryOptions({
  queryKey: [...summariesKey, 'next'],
  queryFn: async ({ signal }): Promise<CourseSummary | null> => {
    const firstOf = async (state: 'new' | 'begun' | 'finished'): Promise<CourseSummary | undefined> => {
      const params = { query: { state, page_size: 1 } };
      const [first] = await ok(api.GET('/api/lessons/course-summaries', { params, signal }));
      return first;
    };
    const [begun, untouched] = await Promise.all([firstOf('begun'), firstOf('new')]);
    // What is left of a course may be closed.
    return (
      [begun, untouched].find((course) => course?.next_theme) ??
      begun ??
      untouched ??
      (await firstOf('finished')) ??
      null
    );
  },
});

const courseKey = ['lessons', 'course'];

/** A course with its sections and lessons. */
export const courseQuery = (course_id: number) =>
  queryOptions({
    queryKey: [...courseKey, course_id],
    queryFn: ({ signal }) =>
      ok(api.GET('/api/lessons/courses/{course_id}', { params: { path: { course_id } }, signal })),
  });

export const teachersQuery = (course_id: number) =>
  queryOptions({
    queryKey: [...courseKey, course_id, 'teachers'],
    queryFn: ({ signal }) =>
      ok(api.GET('/api/lessons/courses/{course_id}/teachers', { params: { path: { course_id } }, signal })),
  });

export const lessonQuery = (theme_id: number) =>
  queryOptions({
    queryKey: ['lessons', 'themes', theme_id],
    queryFn: ({ signal }) => ok(api.GET('/api/lessons/themes/{theme_id}', { params: { path: { theme_id } }, signal })),
  });

/** The lessons with a Markdown file. */
const fileLessonsQuery = (markdown_file_path: string) =>
  queryOptions({
    queryKey: ['lessons', 'themes-of-file', markdown_file_path],
    queryFn: ({ signal }) => ok(api.GET('/api/lessons/themes', { params: { query: { markdown_file_path } }, signal })),
    staleTime: 60_000,
  });

export const contentQuery = (theme_id: number) =>
  queryOptions({
    queryKey: ['lessons', 'content', theme_id],
    queryFn: ({ signal }) =>
      ok(api.GET('/api/lessons/themes/{theme_id}/content', { params: { path: { theme_id } }, signal })),
    staleTime: 60_000,
  });

export type CourseAssessment = Answer<'/api/dashboard/course-subjects'>[number];

/** Of all courses, for their invalidation. */
export const courseAssessmentsKey = ['lessons', 'assessments'];

/** The laboratories and exams of a course, with those that the user has passed. None of a course that is hidden from the user. */
export const courseAssessmentsQuery = (query: { course_id: number } | { section_id: number }) =>
  queryOptions({
    queryKey: [...courseAssessmentsKey, query],
    queryFn: ({ signal }) =>
      ok(api.GET('/api/dashboard/course-subjects', { params: { query: { ...query, is_optional: true } }, signal })),
  });

/** The course of a lesson. It is known before the lesson is loaded where the reader has come from another lesson of the course. */
export function useCourseOf(lessonId: number, lesson: Lesson | undefined): Course | undefined {
  const client = useQueryClient();
  const shown = client.getQueriesData<Course>({ queryKey: courseKey }).map(([, course]) => course);
  const known = shown.find((course) => course && lessonsOf(course).some(({ id }) => id === lessonId));
  const id = lesson?.course_id ?? known?.id;
  return useQuery({ ...courseQuery(id ?? 0), enabled: id !== undefined }).data;
}

/**
 * The lesson whose text is in a file, for a link from another lesson: one of the same course, or else the first.
 * @returns null where there is none, undefined while this is not known
 */
export function useLessonOfFile(path: string, from: number): { id: number } | null | undefined {
  const { data: source } = useQuery(lessonQuery(from));
  const course = useCourseOf(from, source);
  const sibling = course && lessonsOf(course).find(({ markdown_file_path }) => markdown_file_path === path);
  const others = useQuery({ ...fileLessonsQuery(path), enabled: course !== undefined && sibling === undefined });
  return sibling ?? (others.data && (others.data[0] ?? null));
}

export const lessonsOf = (course: Course): LessonInTree[] => course.sections.flatMap(({ themes }) => themes);
