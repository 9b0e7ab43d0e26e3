import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { type Kind, pathOf } from '../api/kinds.ts';
import { ok } from '../api/problem.ts';

export type GradedResult = Answer<'/api/instructor/grading'>[number];
export type OpenedResult = Answer<'/api/instructor/grading/{key}'>;
export type GradedTask = Answer<'/api/instructor/grading/tasks'>[number];
export type RubricItem = Answer<'/api/instructor/exams/{id}/tasks/{task_id}/rubric'>[number];
export type RubricChange = Answer<'/api/instructor/exams/{id}/tasks/{task_id}/rubric/changes'>[number];
export type TaskPlace = { kind: Kind; id: number; taskId: number };

type Filter = Partial<Record<'exam_id' | 'laboratory_id' | 'session_id' | 'class_id', number | undefined>>;

export const gradingKey = ['teaching', 'grading'];
/** Milliseconds between two polls of what others do. */
const interval = 20_000;

const queryOf = ({ exam_id, laboratory_id, session_id, class_id }: Filter) => ({
  ...(exam_id !== undefined && { exam_id }),
  ...(laboratory_id !== undefined && { laboratory_id }),
  ...(session_id !== undefined && { session_id }),
  ...(class_id !== undefined && { class_id }),
});

export const gradingTasksQuery = (filter: Filter) =>
  queryOptions({
    queryKey: [...gradingKey, 'tasks', filter],
    refetchInterval: interval,
    queryFn: ({ signal }) =>
      ok(api.GET('/api/instructor/grading/tasks', { params: { query: queryOf(filter) }, signal })),
  });

export const gradingListQuery = (filter: Filter, task_id: number) =>
  queryOptions({
    queryKey: [...gradingKey, 'list', filter, task_id],
    refetchInterval: interval,
    queryFn: ({ signal }) =>
      ok(api.GET('/api/instructor/grading', { params: { query: { ...queryOf(filter), task_id } }, signal })),
  });

export const openedQuery = (key: string) =>
  queryOptions({
    queryKey: [...gradingKey, 'opened', key],
    queryFn: ({ signal }) => ok(api.GET('/api/instructor/grading/{key}', { params: { path: { key } }, signal })),
  });

export const paramsOf = ({ id, taskId }: TaskPlace) => ({ path: { id, task_id: taskId } });

export const rubricQuery = (place: TaskPlace) =>
  queryOptions({
    queryKey: [...gradingKey, 'rubric', place],
    refetchInterval: interval,
    queryFn: ({ signal }) =>
      ok(
        api.GET(pathOf(place.kind, '/api/instructor/exams/{id}/tasks/{task_id}/rubric'), {
          params: paramsOf(place),
          signal,
        }),
      ),
  });

export const changesQuery = (place: TaskPlace) =>
  queryOptions({
    queryKey: [...gradingKey, 'changes', place],
    queryFn: ({ signal }) =>
      ok(
        api.GET(pathOf(place.kind, '/api/instructor/exams/{id}/tasks/{task_id}/rubric/changes'), {
          params: paramsOf(place),
          signal,
        }),
      ),
  });
