import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { Kind } from '../../api/kinds.ts';
import { type Door, useDoor } from '../../teaching-model/door.ts';
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

/** The possible courses of an exam, or the possible sections (with their courses) of a laboratory. */
export function usePlaces(kind: Kind): { id: number; name: string; course_id?: number }[] {
  const { data = [] } = useQuery(parentsQuery(useDoor(), kind === 'exam' ? 'course' : 'section'));
  return data;
}
