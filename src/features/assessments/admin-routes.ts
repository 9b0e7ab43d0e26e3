import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { administeredRoutes } from '../../http/lists/administered-routes.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { queryOrBody } from '../../http/protocol/query-or-body.ts';
import { errors, Id, IdParams } from '../../http/protocol/schemas.ts';
import type { AssessmentAdminService } from './admin-service.ts';
import { kinds } from './kinds.ts';
import { AssessmentDeleted, RunningStateSchema, TaskOrder } from './schema.ts';

const TaskParams = Type.Object({ id: Id, task_id: Id });

/** Exams or laboratories, for administrators. Fields are in the query string or in a JSON body. */
export const adminAssessmentRoutes =
  (assessments: AssessmentAdminService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { one, plural, AssessmentWithTasks, NewAssessment, about } = kinds[assessments.kind];
    const path = `/api/admin/${plural}`;
    await app.register(
      administeredRoutes({
        ...{ path, idName: 'id', one, plural, Row: AssessmentWithTasks, New: NewAssessment, rows: assessments },
        Deleted: AssessmentDeleted,
        sorts: [
          'position',
          'title',
          'is_active',
          'place',
          'task_count',
          'max_score',
          'time_limit_minutes',
          'container_image',
        ],
        hasReference: true,
        about: {
          create: about.create,
          update:
            'Omitted fields are unchanged. Attempts that have begun are shown and graded by what they began with. `is_active` false retires it. 409: drafts and retired assessments become active only by publishing.',
          delete:
            'If it has attempts, it is retired instead: it disappears from lists, and its attempts and results are kept.',
        },
      }),
    );
    await app.register(taskRoutes(assessments, `${path}/:id/tasks`));

    app.get(`${path}/:id/states`, {
      config: { access: 'admin' },
      schema: {
        tags: ['admin'],
        summary: `The states of ${one} that attempts run on, the newest first`,
        description:
          'Attempts are shown and graded by the texts, tasks, checks, points, set-up and files with which they started. Queued attempts have not started.',
        params: IdParams,
        response: { 200: Type.Array(RunningStateSchema), ...errors(401, 403, 404) },
      },
      handler: (request) => assessments.runningStates(request.params.id),
    });
  };

const taskRoutes =
  (assessments: AssessmentAdminService, path: string): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['admin'];
    const config = { access: 'admin' } as const;
    const { one, Task, NewTask } = kinds[assessments.kind];
    const readTask = queryOrBody(NewTask);
    const readChange = queryOrBody(Type.Partial(NewTask));

    app.get(path, {
      config,
      schema: {
        tags,
        summary: `The tasks of ${one} in their order`,
        params: IdParams,
        response: { 200: Type.Array(Task), ...errors(401, 403, 404) },
      },
      handler: (request) => assessments.tasks(request.params.id),
    });

    app.post(path, {
      config: { ...config, fields: NewTask },
      schema: {
        tags,
        summary: `Add a task to ${one}, at the position \`order_index\` or at the end`,
        params: IdParams,
        response: { 201: Task, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request, reply) => {
        const { id } = callerOf(request);
        return reply.code(201).send(await assessments.addTask(id, request.params.id, readTask(request)));
      },
    });

    app.put(`${path}/order`, {
      config,
      schema: {
        tags,
        summary: `Reorder the tasks of ${one}`,
        params: IdParams,
        body: TaskOrder,
        response: { 200: Type.Array(Task), ...errors(401, 403, 404, 415) },
      },
      handler: (request) => assessments.reorderTasks(callerOf(request).id, request.params.id, request.body.task_ids),
    });

    app.get(`${path}/:task_id`, {
      config,
      schema: {
        tags,
        summary: `One task of ${one}`,
        params: TaskParams,
        response: { 200: Task, ...errors(401, 403, 404) },
      },
      handler: (request) => assessments.task(request.params.id, request.params.task_id),
    });

    app.put(`${path}/:task_id`, {
      config: { ...config, fields: NewTask },
      schema: {
        tags,
        summary: 'Change a task, or its position by `order_index`; omitted fields are unchanged',
        params: TaskParams,
        response: { 200: Task, ...errors(401, 403, 404, 415) },
      },
      handler: (request) => {
        const { id, task_id } = request.params;
        return assessments.updateTask(callerOf(request).id, id, task_id, readChange(request));
      },
    });

    app.delete(`${path}/:task_id`, {
      config,
      schema: {
        tags,
        summary: 'Delete a task; its results are kept',
        params: TaskParams,
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) =>
        await done(
          assessments.deleteTask(callerOf(request).id, request.params.id, request.params.task_id),
          'Task deleted',
        ),
    });
  };
