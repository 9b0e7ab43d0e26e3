import { type Answer, api, type Body } from '../api/client.ts';
import { ok, okPage, type Page } from '../api/problem.ts';

export type Kind = 'exam' | 'laboratory';

type Exam = Answer<'/api/admin/exams/{id}'>;
type Laboratory = Answer<'/api/admin/laboratories/{id}'>;

/** What exams and laboratories have in common for those who make them; `place` is the course of the one, the section of the other. */
export type Subject = Pick<
  Exam,
  'id' | 'title' | 'description' | 'container_image' | 'passing_score' | 'is_active' | 'max_score' | 'task_count'
> & {
  time_limit_minutes: number | null;
  place: number | null;
  /** Exams stand in an order of their own, laboratories in that of their sections. */
  order_index: number | null;
  tasks: Task[];
};
export type Task = Exam['tasks'][number] & { hint?: string };
export type Trial = Answer<'/api/admin/exams/{id}/try', 'post'>;
export type TaskTrial = Trial['tasks'][number];

export type SubjectFields = Partial<
  Pick<
    Subject,
    | 'title'
    | 'description'
    | 'container_image'
    | 'passing_score'
    | 'is_active'
    | 'time_limit_minutes'
    | 'place'
    | 'order_index'
  >
>;
export type TaskFields = Body<'/api/admin/laboratories/{id}/tasks', 'post'>;

/** The service's operations on one of the two kinds. */
export type SubjectCalls = {
  list: (page: number, signal: AbortSignal) => Promise<Page<Subject>>;
  get: (id: number, signal?: AbortSignal) => Promise<Subject>;
  create: (fields: SubjectFields) => Promise<Subject>;
  update: (id: number, fields: SubjectFields) => Promise<Subject>;
  /** Answers whether it was deleted, or is kept because of its attempts. */
  remove: (id: number) => Promise<'deleted' | 'retired'>;
  addTask: (id: number, fields: TaskFields) => Promise<Task>;
  updateTask: (id: number, taskId: number, fields: TaskFields) => Promise<Task>;
  removeTask: (id: number, taskId: number) => Promise<unknown>;
  orderTasks: (id: number, taskIds: number[]) => Promise<Task[]>;
  try: (id: number, taskId: number | undefined, signal: AbortSignal) => Promise<Trial>;
  publish: (id: number, signal: AbortSignal) => Promise<Trial>;
};

export const pageSize = 50;
const paged = (page: number, signal: AbortSignal) => ({ params: { query: { page, page_size: pageSize } }, signal });
const at = (id: number) => ({ params: { path: { id } } });
const atTask = (id: number, task_id: number) => ({ params: { path: { id, task_id } } });

const ofExam = ({ course_id, ...exam }: Exam): Subject => ({ ...exam, place: course_id });
const ofLaboratory = ({ section_id, ...laboratory }: Laboratory): Subject => ({
  ...laboratory,
  place: section_id,
  order_index: null,
});

/** The wire's names of the fields; what is not given is not sent. */
function examBody({ place, order_index, time_limit_minutes, ...rest }: SubjectFields) {
  return {
    ...rest,
    ...(place === undefined ? {} : { course_id: place }),
    ...(typeof order_index === 'number' ? { order_index } : {}),
    ...(typeof time_limit_minutes === 'number' ? { time_limit_minutes } : {}),
  };
}
function laboratoryBody({ place, order_index: _none, ...rest }: SubjectFields) {
  return { ...rest, ...(place === undefined ? {} : { section_id: place }) };
}
const withoutHint = ({ hint: _none, ...fields }: TaskFields) => fields;

const exams: SubjectCalls = {
  list: async (page, signal) => {
    const { items, total } = await okPage(api.GET('/api/admin/exams', paged(page, signal)));
    return { items: items.map(ofExam), total };
  },
  get: async (id, signal) =>
    ofExam(await ok(api.GET('/api/admin/exams/{id}', { ...at(id), ...(signal ? { signal } : {}) }))),
  create: async (fields) => ofExam(await ok(api.POST('/api/admin/exams', { body: examBody(fields) }))),
  update: async (id, fields) =>
    ofExam(await ok(api.PUT('/api/admin/exams/{id}', { ...at(id), body: examBody(fields) }))),
  remove: async (id) => (await ok(api.DELETE('/api/admin/exams/{id}', at(id)))).outcome,
  addTask: (id, fields) => ok(api.POST('/api/admin/exams/{id}/tasks', { ...at(id), body: withoutHint(fields) })),
  updateTask: (id, taskId, fields) =>
    ok(api.PUT('/api/admin/exams/{id}/tasks/{task_id}', { ...atTask(id, taskId), body: withoutHint(fields) })),
  removeTask: (id, taskId) => ok(api.DELETE('/api/admin/exams/{id}/tasks/{task_id}', atTask(id, taskId))),
  orderTasks: (id, task_ids) => ok(api.PUT('/api/admin/exams/{id}/tasks/order', { ...at(id), body: { task_ids } })),
  try: (id, taskId, signal) =>
    taskId === undefined
      ? ok(api.POST('/api/admin/exams/{id}/try', { ...at(id), signal }))
      : ok(api.POST('/api/admin/exams/{id}/tasks/{task_id}/try', { ...atTask(id, taskId), body: {}, signal })),
  publish: (id, signal) => ok(api.POST('/api/admin/exams/{id}/publish', { ...at(id), signal })),
};

const laboratories: SubjectCalls = {
  list: async (page, signal) => {
    const { items, total } = await okPage(api.GET('/api/admin/laboratories', paged(page, signal)));
    return { items: items.map(ofLaboratory), total };
  },
  get: async (id, signal) =>
    ofLaboratory(await ok(api.GET('/api/admin/laboratories/{id}', { ...at(id), ...(signal ? { signal } : {}) }))),
  create: async (fields) =>
    ofLaboratory(await ok(api.POST('/api/admin/laboratories', { body: laboratoryBody(fields) }))),
  update: async (id, fields) =>
    ofLaboratory(await ok(api.PUT('/api/admin/laboratories/{id}', { ...at(id), body: laboratoryBody(fields) }))),
  remove: async (id) => (await ok(api.DELETE('/api/admin/laboratories/{id}', at(id)))).outcome,
  addTask: (id, fields) => ok(api.POST('/api/admin/laboratories/{id}/tasks', { ...at(id), body: fields })),
  updateTask: (id, taskId, fields) =>
    ok(api.PUT('/api/admin/laboratories/{id}/tasks/{task_id}', { ...atTask(id, taskId), body: fields })),
  removeTask: (id, taskId) => ok(api.DELETE('/api/admin/laboratories/{id}/tasks/{task_id}', atTask(id, taskId))),
  orderTasks: (id, task_ids) =>
    ok(api.PUT('/api/admin/laboratories/{id}/tasks/order', { ...at(id), body: { task_ids } })),
  try: (id, taskId, signal) =>
    taskId === undefined
      ? ok(api.POST('/api/admin/laboratories/{id}/try', { ...at(id), signal }))
      : ok(api.POST('/api/admin/laboratories/{id}/tasks/{task_id}/try', { ...atTask(id, taskId), body: {}, signal })),
  publish: (id, signal) => ok(api.POST('/api/admin/laboratories/{id}/publish', { ...at(id), signal })),
};

export const callsOf: Record<Kind, SubjectCalls> = { exam: exams, laboratory: laboratories };
