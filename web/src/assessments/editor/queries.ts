import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Kind } from '../../api/kinds.ts';
import { ok } from '../../api/problem.ts';
import { type Door, grantsOf, useDoor } from '../../teaching-model/door.ts';
import { parentsQuery } from '../../teaching-model/parents.ts';
import { type AssessmentSearch, callsOf } from './assessment-calls.ts';

export const assessmentsQuery = (door: Door, kind: Kind, search: AssessmentSearch) =>
  queryOptions({
    queryKey: ['authoring', kind, 'list', search, door.key],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callsOf(door, kind).list(search, signal),
  });

export const assessmentQuery = (door: Door, kind: Kind, id: number) =>
  queryOptions({
    queryKey: ['authoring', kind, id],
    queryFn: ({ signal }) => callsOf(door, kind).get(id, signal),
    // An item that is being edited is not replaced by a refetch.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** The images of the sandbox templates, or those that a course may use. */
const imagesQuery = ({ course, key }: Door) =>
  queryOptions({
    queryKey: ['authoring', 'images', key],
    queryFn: async ({ signal }): Promise<string[]> => {
      if (!course) return (await ok(api.GET('/api/admin/sandbox-templates', { signal }))).map(({ image }) => image);
      const { images, common_images } = await grantsOf(course.id, signal);
      return [...common_images, ...images];
    },
    staleTime: 60_000,
  });

/** The platform's own images, then those that its templates, exams and laboratories use. */
export function useKnownImages(): string[] {
  const door = useDoor();
  const known = useQuery(imagesQuery(door));
  const exams = useQuery(assessmentsQuery(door, 'exam', {}));
  const laboratories = useQuery(assessmentsQuery(door, 'laboratory', {}));
  const used = [...(exams.data?.items ?? []), ...(laboratories.data?.items ?? [])];
  return [
    ...new Set([
      ...(door.course ? [] : ['platform-exam-linux-basics', 'platform-exam-linux-services']),
      ...(known.data ?? []),
      ...used.map(({ container_image }) => container_image),
    ]),
  ];
}

/** The possible courses of an exam, or the possible sections (with their courses) of a laboratory. */
export function usePlaces(kind: Kind): { id: number; name: string; course_id?: number }[] {
  const { data = [] } = useQuery(parentsQuery(useDoor(), kind === 'exam' ? 'course' : 'section'));
  return data;
}
