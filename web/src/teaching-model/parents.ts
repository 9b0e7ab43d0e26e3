import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { okAll } from '../api/problem.ts';
import type { CourseSummary } from './courses.ts';
import type { Door } from './door.ts';

export const allCourses = (signal: AbortSignal): Promise<CourseSummary[]> =>
  okAll((query) => api.GET('/api/lessons/course-summaries', { params: { query }, signal }));

/** All courses, for their names and the choice of those of a class. */
export const allCoursesQuery = queryOptions({
  queryKey: ['lessons', 'summaries', 'all'],
  queryFn: ({ signal }) => allCourses(signal),
});

/** The courses, or the sections with their courses, as parents to choose from. */
export const parentsQuery = ({ api, course: own, key }: Door, kind: 'course' | 'section') =>
  queryOptions({
    queryKey: ['authoring', 'parents', kind, key],
    queryFn: async ({ signal }): Promise<{ id: number; name: string; course_id?: number }[]> => {
      const courses = own ? [own] : await allCourses(signal);
      if (kind === 'course') return courses;
      const sections = await okAll((query) => api.GET('/api/admin/lessons/sections', { params: { query }, signal }));
      return courses.flatMap((course) =>
        sections
          .filter(({ course_id }) => course_id === course.id)
          .map(({ id, name }) => ({ id, name: `${course.name} / ${name}`, course_id: course.id })),
      );
    },
  });
