import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access.ts';
import { queryOrBody } from '../../http/query-or-body.ts';
import { errors, Id, IdParams, Nullable } from '../../http/schemas.ts';
import { ExamSchema, TaskSchema } from '../exams/schema.ts';
import type { ExamService } from '../exams/service.ts';
import { OrderIndex } from './schema.ts';
import { subjectFields, TimeLimit, taskFields } from './subject-schema.ts';

const NewExam = Type.Object({
  ...subjectFields,
  time_limit_minutes: TimeLimit,
  course_id: Type.Optional(Nullable(Id)),
  order_index: Type.Optional(OrderIndex),
  is_active: Type.Optional(Type.Boolean({ description: 'False: a draft, which students do not see.' })),
});

const NewTask = Type.Object(taskFields);

/** How exams come to be. Fields come in the query string or in a JSON body. */
export const adminExamRoutes =
  (exams: ExamService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['admin'];
    const readExam = queryOrBody(NewExam);
    const readTask = queryOrBody(NewTask);

    app.post('/api/admin/exams', {
      config: { access: 'admin', fields: NewExam },
      schema: { tags, summary: 'Create an exam', response: { 201: ExamSchema, ...errors(401, 403, 404, 409, 415) } },
      handler: async (request, reply) => reply.code(201).send(await exams.create(callerOf(request), readExam(request))),
    });

    app.post('/api/admin/exams/:id/tasks', {
      config: { access: 'admin', fields: NewTask },
      schema: {
        tags,
        summary: 'Add a task to an exam',
        params: IdParams,
        response: { 201: TaskSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request, reply) =>
        reply.code(201).send(await exams.addTask(callerOf(request), request.params.id, readTask(request))),
    });
  };
