import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access.ts';
import { PageQuery, pageOf, setPageHeaders } from '../../http/paging.ts';
import { queryOrBody } from '../../http/query-or-body.ts';
import { errors, Id, IdParams, Nullable } from '../../http/schemas.ts';
import { LaboratorySchema, TaskSchema } from '../laboratories/schema.ts';
import type { LaboratoryService } from '../laboratories/service.ts';
import { SubjectDeleted } from './schema.ts';
import { subjectFields, TaskOrder, TimeLimit, taskFields } from './subject-schema.ts';

const NewLaboratory = Type.Object({
  ...subjectFields,
  time_limit_minutes: Type.Optional(Nullable(TimeLimit)),
  section_id: Type.Optional(Nullable(Id)),
  is_active: Type.Optional(Type.Boolean()),
});
const NewTask = Type.Object({ ...taskFields, hint: Type.Optional(Type.String({ maxLength: 100_000 })) });
const LaboratoryChange = Type.Partial(NewLaboratory);
const TaskChange = Type.Partial(NewTask);
const TaskParams = Type.Object({ id: Id, task_id: Id });
const Deleted = Type.Object({ detail: Type.String() });

/** How laboratories come to be, change and go. Fields come in the query string or in a JSON body. */
export const adminLaboratoryRoutes =
  (laboratories: LaboratoryService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['admin'];
    const readLaboratory = queryOrBody(NewLaboratory);
    const readChange = queryOrBody(LaboratoryChange);

    app.get('/api/admin/laboratories', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'All laboratories, retired ones too',
        querystring: PageQuery,
        response: { 200: Type.Array(LaboratorySchema), ...errors(401, 403) },
      },
      handler: async (request, reply) => {
        const list = await laboratories.all();
        const page = pageOf(request.query);
        setPageHeaders(request, reply, page, list.length);
        return list.slice(page.offset, page.offset + page.limit);
      },
    });

    app.post('/api/admin/laboratories', {
      config: { access: 'admin', fields: NewLaboratory },
      schema: {
        tags,
        summary: 'Create a laboratory; a section has one at most',
        response: { 201: LaboratorySchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request, reply) =>
        reply.code(201).send(await laboratories.create(callerOf(request), readLaboratory(request))),
    });

    app.get('/api/admin/laboratories/:id', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'One laboratory, also a retired one',
        params: IdParams,
        response: { 200: LaboratorySchema, ...errors(401, 403, 404) },
      },
      handler: async (request) => await laboratories.get(request.user, request.params.id),
    });

    app.put('/api/admin/laboratories/:id', {
      config: { access: 'admin', fields: LaboratoryChange },
      schema: {
        tags,
        summary: 'Change a laboratory; what is left out stays',
        params: IdParams,
        response: { 200: LaboratorySchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request) => await laboratories.update(callerOf(request), request.params.id, readChange(request)),
    });

    app.delete('/api/admin/laboratories/:id', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Delete a laboratory, or retire one with attempts',
        description: 'One that was attempted becomes inactive: students no longer see it, and results stay.',
        params: IdParams,
        response: { 200: SubjectDeleted, ...errors(401, 403, 404) },
      },
      handler: async (request) => {
        const outcome = await laboratories.delete(callerOf(request), request.params.id);
        return {
          detail: outcome === 'deleted' ? 'Laboratory deleted' : 'Laboratory retired: it has attempts',
          outcome,
        };
      },
    });

    await app.register(taskRoutes(laboratories));
  };

const taskRoutes =
  (laboratories: LaboratoryService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['admin'];
    const readTask = queryOrBody(NewTask);
    const readChange = queryOrBody(TaskChange);

    app.get('/api/admin/laboratories/:id/tasks', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: "A laboratory's tasks in their order",
        params: IdParams,
        response: { 200: Type.Array(TaskSchema), ...errors(401, 403, 404) },
      },
      handler: async (request) => (await laboratories.get(request.user, request.params.id)).tasks,
    });

    app.post('/api/admin/laboratories/:id/tasks', {
      config: { access: 'admin', fields: NewTask },
      schema: {
        tags,
        summary: 'Add a task to a laboratory, at the end unless `order_index` says where',
        params: IdParams,
        response: { 201: TaskSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request, reply) =>
        reply.code(201).send(await laboratories.addTask(callerOf(request), request.params.id, readTask(request))),
    });

    app.put('/api/admin/laboratories/:id/tasks/order', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: "Put a laboratory's tasks into another order",
        params: IdParams,
        body: TaskOrder,
        response: { 200: Type.Array(TaskSchema), ...errors(401, 403, 404, 415) },
      },
      handler: (request) => laboratories.reorderTasks(callerOf(request), request.params.id, request.body.task_ids),
    });

    app.get('/api/admin/laboratories/:id/tasks/:task_id', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'One task of a laboratory',
        params: TaskParams,
        response: { 200: TaskSchema, ...errors(401, 403, 404) },
      },
      handler: async (request) => await laboratories.task(callerOf(request), request.params.id, request.params.task_id),
    });

    app.put('/api/admin/laboratories/:id/tasks/:task_id', {
      config: { access: 'admin', fields: TaskChange },
      schema: {
        tags,
        summary: 'Change a task, or by `order_index` its place; what is left out stays',
        params: TaskParams,
        response: { 200: TaskSchema, ...errors(401, 403, 404, 415) },
      },
      handler: async (request) => {
        const { id, task_id } = request.params;
        return await laboratories.updateTask(callerOf(request), id, task_id, readChange(request));
      },
    });

    app.delete('/api/admin/laboratories/:id/tasks/:task_id', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Delete a task; results that it had stay',
        params: TaskParams,
        response: { 200: Deleted, ...errors(401, 403, 404) },
      },
      handler: async (request) => {
        await laboratories.deleteTask(callerOf(request), request.params.id, request.params.task_id);
        return { detail: 'Task deleted' };
      },
    });
  };
