import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Kind } from '../../api/kinds.ts';
import { ok } from '../../api/problem.ts';
import { parentsQuery } from '../../teaching-model/parents.ts';
import { type AssessmentSearch, callsOf } from './assessment-calls.ts';

export const assessmentsQuery = (kind: Kind, search: AssessmentSearch) =>
  queryOptions({
    queryKey: ['authoring', kind, 'list', search],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callsOf[kind].list(search, signal),
  });

export const assessmentQuery = (kind: Kind, id: number) =>
  queryOptions({
    queryKey: ['authoring', kind, id],
    queryFn: ({ signal }) => callsOf[kind].get(id, signal),
    // An item that is being edited is not replaced by a refetch.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

const templatesQuery = queryOptions({
  queryKey: ['authoring', 'templates'],
  queryFn: ({ signal }) => ok(api.GET('/api/admin/sandbox-templates', { signal })),
  staleTime: 60_000,
});

/** The platform's own images, then those that its templates, exams and laboratories use. */
export function useKnownImages(): string[] {
  const templates = useQuery(templatesQuery);
  const exams = useQuery(assessmentsQuery('exam', {}));
  const laboratories = useQuery(assessmentsQuery('laboratory', {}));
  const used = [...(exams.data?.items ?? []), ...(laboratories.data?.items ?? [])];
  return [
    ...new Set([
      'platform-exam-linux-basics',
      'platform-exam-linux-services',
      ...(templates.data ?? []).map(({ image }) => image),
      ...used.map(({ container_image }) => container_image),
    ]),
  ];
}

/** The possible courses of an exam, or the possible sections (with their courses) of a laboratory. */
export function usePlaces(kind: Kind): { id: number; name: string }[] {
  const { data = [] } = useQuery(parentsQuery(kind === 'exam' ? 'course' : 'section'));
  return data;
}
