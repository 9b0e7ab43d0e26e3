import type { Answer, Body } from '../../api/client.ts';
import { type Kind, pathOf } from '../../api/kinds.ts';
import { type ListSearch, pageQuery } from '../../api/list-query.ts';
import { isRefusal, ok, okPage, type Page } from '../../api/problem.ts';
import type { Door } from '../../teaching-model/door.ts';

type Exam = Answer<'/api/admin/exams/{id}'>;
type ApiAssessment = Omit<
  Exam,
  'course_id' | 'order_index' | 'time_limit_minutes' | 'is_session_only' | 'has_certificate'
> & {
  time_limit_minutes: number | null;
  course_id?: number | null;
  section_id?: number | null;
  order_index?: number;
  is_sequential?: boolean;
  is_session_only?: boolean;
  has_certificate?: boolean;
};

/** An exam or a laboratory for authors. `place` is the course of an exam, or the section of a laboratory. */
export type Assessment = Omit<ApiAssessment, 'course_id' | 'section_id' | 'order_index' | 'tasks'> & {
  place: number | null;
  /** Exams have their own order. Laboratories have the order of their sections. */
  order_index: number | null;
  tasks: Task[];
};
export type AssessmentSearch = ListSearch & {
  sort?:
    | 'position'
    | 'title'
    | 'is_active'
    | 'place'
    | 'task_count'
    | 'max_score'
    | 'time_limit_minutes'
    | 'container_image'
    | undefined;
};
export type Task = Exam['tasks'][number] & { hint?: string };
export type Trial = Answer<'/api/admin/exams/{id}/try', 'post'>;
export type TaskTrial = Trial['tasks'][number];

export type AssessmentFields = Partial<
  Omit<Assessment, 'id' | 'slug' | 'created_at' | 'max_score' | 'needs_machine' | 'revision' | 'task_count' | 'tasks'>
>;
export type TaskScripts = Body<'/api/admin/exams/{id}/tasks/{task_id}/try', 'post'>;
export type TaskFields = Body<'/api/admin/laboratories/{id}/tasks', 'post'>;

/** Changes that are tried before they are saved. New tasks are appended. */
export type Changes = { fields?: AssessmentFields; tasks: (TaskFields & { id: number })[]; newTasks: TaskFields[] };

const at = (id: number) => ({ params: { path: { id } } });
const atTask = (id: number, task_id: number) => ({ params: { path: { id, task_id } } });

const fromApi = ({ course_id, section_id, order_index, ...assessment }: ApiAssessment): Assessment => ({
  ...assessment,
  order_index: order_index ?? null,
  place: course_id ?? section_id ?? null,
});

/** The API's names of the fields. Undefined fields are not sent. */
function bodyOf(kind: Kind, { place, order_index, ...rest }: AssessmentFields) {
  const own = kind === 'exam' ? { course_id: place, order_index: order_index ?? undefined } : { section_id: place };
  return { ...rest, ...own } as Body<'/api/admin/exams', 'post'>;
}
/** Tasks of exams have no hints. */
const taskBody = (kind: Kind, { hint, ...fields }: TaskFields): TaskFields =>
  kind === 'exam' || hint === undefined ? fields : { ...fields, hint };

const changesBody = (kind: Kind, { fields, tasks, newTasks }: Changes) =>
  ({
    ...(fields ? { fields: bodyOf(kind, fields) } : {}),
    tasks: tasks.map(({ id, ...task }) => ({ ...taskBody(kind, task), id })),
    new_tasks: newTasks.map((task) => taskBody(kind, task)),
  }) as Body<'/api/admin/exams/{id}/try', 'post'>;

/** The service's operations on one of the two kinds. */
export const callsOf = ({ api }: Door, kind: Kind) => ({
  list: async (search: AssessmentSearch, signal: AbortSignal): Promise<Page<Assessment>> => {
    const paged = { params: { query: pageQuery(search) }, signal };
    const { items, ...rest } = await okPage(api.GET(pathOf(kind, '/api/admin/exams'), paged));
    return { items: items.map(fromApi), ...rest };
  },
  get: async (id: number, signal?: AbortSignal): Promise<Assessment> =>
    fromApi(await ok(api.GET(pathOf(kind, '/api/admin/exams/{id}'), { ...at(id), ...(signal ? { signal } : {}) }))),
  create: async (fields: AssessmentFields): Promise<Assessment> =>
    fromApi(await ok(api.POST(pathOf(kind, '/api/admin/exams'), { body: bodyOf(kind, fields) }))),
  update: async (id: number, fields: AssessmentFields): Promise<Assessment> =>
    fromApi(await ok(api.PUT(pathOf(kind, '/api/admin/exams/{id}'), { ...at(id), body: bodyOf(kind, fields) }))),
  copy: async (id: number, body: { title: string }): Promise<Assessment> =>
    fromApi(await ok(api.POST(pathOf(kind, '/api/admin/exams/{id}/copy'), { ...at(id), body }))),
  /** Returns whether it was deleted, or kept because of its attempts. */
  remove: async (id: number): Promise<'deleted' | 'retired'> =>
    (await ok(api.DELETE(pathOf(kind, '/api/admin/exams/{id}'), at(id)))).outcome,
  addTask: (id: number, fields: TaskFields): Promise<Task> =>
    ok(api.POST(pathOf(kind, '/api/admin/exams/{id}/tasks'), { ...at(id), body: taskBody(kind, fields) })),
  updateTask: (id: number, taskId: number, fields: TaskFields): Promise<Task> => {
    const body = taskBody(kind, fields);
    return ok(api.PUT(pathOf(kind, '/api/admin/exams/{id}/tasks/{task_id}'), { ...atTask(id, taskId), body }));
  },
  removeTask: (id: number, taskId: number) =>
    ok(api.DELETE(pathOf(kind, '/api/admin/exams/{id}/tasks/{task_id}'), atTask(id, taskId))),
  orderTasks: (id: number, task_ids: number[]): Promise<Task[]> =>
    ok(api.PUT(pathOf(kind, '/api/admin/exams/{id}/tasks/order'), { ...at(id), body: { task_ids } })),
  /** @param changes are included, and not saved */
  try: (id: number, signal: AbortSignal, changes?: Changes): Promise<Trial> => {
    const body = changes ? changesBody(kind, changes) : {};
    return ok(api.POST(pathOf(kind, '/api/admin/exams/{id}/try'), { ...at(id), signal, body }));
  },
  /** @param scripts of the task, which are not saved */
  tryTask: (id: number, taskId: number, signal: AbortSignal, scripts: TaskScripts = {}): Promise<Trial> => {
    const one = { ...atTask(id, taskId), body: scripts, signal };
    return ok(api.POST(pathOf(kind, '/api/admin/exams/{id}/tasks/{task_id}/try'), one));
  },
  /** The report of the trial that refused the last publication. */
  refusal: (id: number, signal: AbortSignal): Promise<Trial> =>
    ok(api.GET(pathOf(kind, '/api/admin/exams/{id}/trial'), { ...at(id), signal })),
  /** @param changes are saved with the publication */
  publish: (id: number, signal: AbortSignal, changes?: Changes): Promise<Trial> => {
    const body = changes ? changesBody(kind, changes) : {};
    return ok(api.POST(pathOf(kind, '/api/admin/exams/{id}/publish'), { ...at(id), signal, body }));
  },
});

/** The report of the trial that refused a publication. Undefined where another error did, or the report cannot be read. */
export async function reportOfRefusal(
  door: Door,
  kind: Kind,
  id: number,
  error: unknown,
  signal: AbortSignal,
): Promise<Trial | undefined> {
  if (!isRefusal(error, 'trial_failed')) return undefined;
  // The refusal itself says the problems in a sentence.
  return await callsOf(door, kind)
    .refusal(id, signal)
    .catch(() => undefined);
}
