import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { ok } from '../api/problem.ts';
import { hrefOf } from '../routing/router.ts';

export type Result = Answer<'/api/search'>['results'][number];

/** What a text finds. The results of the last text stay until those of the next one come. */
export const searchQuery = (q: string) =>
  queryOptions({
    queryKey: ['search', q],
    queryFn: ({ signal }) => ok(api.GET('/api/search', { params: { query: { q } }, signal })),
    enabled: q.trim() !== '',
    placeholderData: keepPreviousData,
    // Content changes, and so does what the user may see.
    staleTime: 0,
    gcTime: 0,
  });

/** The page of a result. */
export function addressOf({ kind, id, theme_id, heading }: Result, isAdmin: boolean): string {
  const assessment = { assessmentId: String(id) };
  switch (kind) {
    case 'lesson':
      return hrefOf({ to: '/lessons/$lessonId', params: { lessonId: String(id) } });
    case 'laboratory':
      return hrefOf({ to: '/laboratories/$assessmentId', params: assessment });
    case 'exam':
      return hrefOf({ to: '/exams/$assessmentId', params: assessment });
    case 'note':
      if (theme_id === null) return hrefOf({ to: '/notes' });
      return hrefOf({ to: '/lessons/$lessonId', params: { lessonId: String(theme_id) }, hash: heading });
    case 'user':
      if (isAdmin) return hrefOf({ to: '/administration/users/$userId', params: { userId: String(id) } });
      return hrefOf({ to: '/teaching/attempts', search: { user_id: id } });
    case 'attempt':
      return hrefOf({ to: '/teaching/attempts/$attemptId', params: { attemptId: String(id) } });
  }
}
