import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { isRefusal, ok } from '../api/problem.ts';
import { useToasts } from '../ui/toasts.tsx';

export type Course = Answer<'/api/lessons/courses'>[number];
export type Section = Course['sections'][number];
export type ThemeInTree = Section['themes'][number];
type Theme = Answer<'/api/lessons/themes/{theme_id}'>;
export type Laboratory = Answer<'/api/laboratories/{id}'>;

export const coursesQuery = queryOptions({
  queryKey: ['lessons', 'courses'],
  queryFn: ({ signal }) => ok(api.GET('/api/lessons/courses', { signal })),
});

export const themeQuery = (theme_id: number) =>
  queryOptions({
    queryKey: ['lessons', 'themes', theme_id],
    queryFn: ({ signal }) => ok(api.GET('/api/lessons/themes/{theme_id}', { params: { path: { theme_id } }, signal })),
  });

export const contentQuery = (theme_id: number) =>
  queryOptions({
    queryKey: ['lessons', 'content', theme_id],
    queryFn: ({ signal }) =>
      ok(api.GET('/api/lessons/themes/{theme_id}/content', { params: { path: { theme_id } }, signal })),
    staleTime: 60_000,
  });

/** The laboratory of a section, or null where it has none. No list contains this, so each section is queried once. */
export const laboratoryQuery = (section_id: number) =>
  queryOptions({
    queryKey: ['lessons', 'laboratory', section_id],
    queryFn: async ({ signal }): Promise<Laboratory | null> => {
      try {
        const params = { path: { section_id } };
        return await ok(api.GET('/api/laboratories/section/{section_id}/laboratory', { params, signal }));
      } catch (error) {
        if (isRefusal(error, 'not_found')) return null;
        throw error;
      }
    },
    staleTime: 10 * 60_000,
  });

/** Marks a theme complete or incomplete. The page shows the change at once, and reverts it where the service refuses. */
export function useCompletion() {
  const client = useQueryClient();
  const toasts = useToasts();
  return useMutation({
    mutationFn: async ({ id, isCompleted }: { id: number; isCompleted: boolean }): Promise<void> => {
      const options = { params: { path: { theme_id: id } } };
      const path = '/api/lessons/themes/{theme_id}/complete';
      await ok(isCompleted ? api.POST(path, options) : api.DELETE(path, options));
    },
    onMutate: async ({ id, isCompleted }) => {
      const before = {
        courses: client.getQueryData(coursesQuery.queryKey),
        theme: client.getQueryData(themeQuery(id).queryKey),
      };
      // A pending refetch would overwrite the tick, so it is cancelled. The initial fetch is not, because its data is needed.
      if (before.courses) await client.cancelQueries({ queryKey: coursesQuery.queryKey });
      if (before.theme) await client.cancelQueries({ queryKey: themeQuery(id).queryKey });
      client.setQueryData(coursesQuery.queryKey, (courses) => courses?.map((course) => tick(course, id, isCompleted)));
      client.setQueryData(
        themeQuery(id).queryKey,
        (theme): Theme | undefined =>
          theme && { ...theme, is_completed: isCompleted, completed_at: isCompleted ? new Date().toISOString() : null },
      );
      return before;
    },
    onError: (error, { id }, before) => {
      if (before?.courses) client.setQueryData(coursesQuery.queryKey, before.courses);
      if (before?.theme) client.setQueryData(themeQuery(id).queryKey, before.theme);
      toasts.failed(error);
    },
    onSettled: async (_data, _error, { id }) => {
      await Promise.all([
        client.invalidateQueries({ queryKey: coursesQuery.queryKey }),
        client.invalidateQueries({ queryKey: themeQuery(id).queryKey }),
        client.invalidateQueries({ queryKey: ['dashboard'] }),
      ]);
    },
  });
}

function tick(course: Course, id: number, isCompleted: boolean): Course {
  if (!themesOf(course).some((theme) => theme.id === id && theme.is_completed !== isCompleted)) return course;
  const completed_themes = course.progress.completed_themes + (isCompleted ? 1 : -1);
  const { total_themes } = course.progress;
  return {
    ...course,
    progress: { completed_themes, total_themes, percent: Math.round((1000 * completed_themes) / total_themes) / 10 },
    sections: course.sections.map((section) => ({
      ...section,
      themes: section.themes.map((theme) => (theme.id === id ? { ...theme, is_completed: isCompleted } : theme)),
    })),
  };
}

export const themesOf = (course: Course): ThemeInTree[] => course.sections.flatMap(({ themes }) => themes);

/** The next lesson of a course: its first theme that is not completed. */
export const nextTheme = (course: Course): ThemeInTree | undefined =>
  themesOf(course).find(({ is_completed }) => !is_completed);
