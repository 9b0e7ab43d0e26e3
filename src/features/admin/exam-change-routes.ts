import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access.ts';
import { PageQuery, pageOf, setPageHeaders } from '../../http/paging.ts';
import { queryOrBody } from '../../http/query-or-body.ts';
import { errors, Id, IdParams, Nullable } from '../../http/schemas.ts';
import type { ExamAdminService } from '../exams/exam-admin-service.ts';
import { ExamSchema, TaskSchema } from '../exams/schema.ts';
import { Description, Done, Image, Name, OrderIndex, SubjectDeleted } from './schema.ts';
import { Solution, TaskOrder } from './subject-schema.ts';

const ExamChange = Type.Partial(
  Type.Object({
    title: Name,
    description: Description,
    container_image: Image,
    time_limit_minutes: Type.Integer({ minimum: 1, maximum: 1440 }),
    passing_score: Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'In points.' }),
    course_id: Nullable(Id),
    order_index: OrderIndex,
    is_active: Type.Boolean(),
  }),
);
const TaskChange = Type.Partial(
  Type.Object({
    title: Name,
    description: Description,
    points: Type.Integer({ minimum: 0, maximum: 10_000 }),
    verification_script: Type.String({ minLength: 1, maxLength: 262_144 }),
    solution_script: Solution,
    order_index: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  }),
);
const TaskParams = Type.Object({ id: Id, task_id: Id });

/** How exams are looked after: reading, changing, retiring. */
export const adminExamChangeRoutes =
  (exams: ExamAdminService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['admin'];
    const readChange = queryOrBody(ExamChange);

    app.get('/api/admin/exams', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'All exams with their tasks and scripts, retired ones too',
        querystring: PageQuery,
        response: { 200: Type.Array(ExamSchema), ...errors(401, 403) },
      },
      handler: async (request, reply) => {
        const page = pageOf(request.query);
        const { rows, total } = await exams.list(page);
        setPageHeaders(request, reply, page, total);
        return rows;
      },
    });

    app.get('/api/admin/exams/:id', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'One exam with its tasks and scripts, also a retired one',
        params: IdParams,
        response: { 200: ExamSchema, ...errors(401, 403, 404) },
      },
      handler: (request) => exams.get(request.params.id),
    });

    app.put('/api/admin/exams/:id', {
      config: { access: 'admin', fields: ExamChange },
      schema: {
        tags,
        summary: 'Change an exam',
        description:
          'Fields that are left out stay; an attempt under way keeps its time and passing score. `is_active` false retires it. 409: it comes back, or goes from a draft to students, by publishing.',
        params: IdParams,
        response: { 200: ExamSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: (request) => exams.update(callerOf(request), request.params.id, readChange(request)),
    });

    app.delete('/api/admin/exams/:id', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Delete an exam, or retire one with attempts',
        description:
          'One that was attempted becomes inactive: it disappears from lists, its attempts and results stay.',
        params: IdParams,
        response: { 200: SubjectDeleted, ...errors(401, 403, 404) },
      },
      handler: async (request) => {
        const outcome = await exams.delete(callerOf(request), request.params.id);
        return { detail: outcome === 'deleted' ? 'Exam deleted' : 'Exam retired: it has attempts', outcome };
      },
    });

    await app.register(taskRoutes(exams));
  };

const taskRoutes =
  (exams: ExamAdminService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['admin'];
    const readChange = queryOrBody(TaskChange);

    app.get('/api/admin/exams/:id/tasks', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: "An exam's tasks in their order",
        params: IdParams,
        response: { 200: Type.Array(TaskSchema), ...errors(401, 403, 404) },
      },
      handler: async (request) => (await exams.get(request.params.id)).tasks,
    });

    app.put('/api/admin/exams/:id/tasks/order', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: "Put an exam's tasks into another order",
        params: IdParams,
        body: TaskOrder,
        response: { 200: Type.Array(TaskSchema), ...errors(401, 403, 404, 415) },
      },
      handler: (request) => exams.reorderTasks(callerOf(request), request.params.id, request.body.task_ids),
    });

    app.get('/api/admin/exams/:id/tasks/:task_id', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'One task of an exam',
        params: TaskParams,
        response: { 200: TaskSchema, ...errors(401, 403, 404) },
      },
      handler: (request) => exams.task(request.params.id, request.params.task_id),
    });

    app.put('/api/admin/exams/:id/tasks/:task_id', {
      config: { access: 'admin', fields: TaskChange },
      schema: {
        tags,
        summary: 'Change a task; what is left out stays',
        params: TaskParams,
        response: { 200: TaskSchema, ...errors(401, 403, 404, 415) },
      },
      handler: (request) => {
        const { id, task_id } = request.params;
        return exams.updateTask(callerOf(request), id, task_id, readChange(request));
      },
    });

    app.delete('/api/admin/exams/:id/tasks/:task_id', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Delete a task; results that were given for it stay',
        params: TaskParams,
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) => {
        await exams.deleteTask(callerOf(request), request.params.id, request.params.task_id);
        return { detail: 'Task deleted' };
      },
    });
  };
