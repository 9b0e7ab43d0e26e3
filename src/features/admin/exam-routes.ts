import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access.ts';
import { queryOrBody } from '../../http/query-or-body.ts';
import { errors, Id, IdParams, Nullable } from '../../http/schemas.ts';
import { ExamSchema, TaskSchema } from '../exams/schema.ts';
import type { ExamService } from '../exams/service.ts';

const NewExam = Type.Object({
  title: Type.String({ minLength: 1, maxLength: 200 }),
  description: Type.Optional(Type.String({ maxLength: 100_000 })),
  container_image: Type.String({ minLength: 1, maxLength: 500, pattern: '^[a-z0-9][A-Za-z0-9._/:@-]*$' }),
  time_limit_minutes: Type.Integer({ minimum: 1, maximum: 1440 }),
  passing_score: Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'In points.' }),
  course_id: Type.Optional(Nullable(Id)),
});

const NewTask = Type.Object({
  title: Type.String({ minLength: 1, maxLength: 200 }),
  description: Type.Optional(Type.String({ maxLength: 100_000 })),
  points: Type.Integer({ minimum: 0, maximum: 10_000 }),
  verification_script: Type.String({
    minLength: 1,
    maxLength: 262_144,
    description: 'Bash; its last line is PASS or FAIL.',
  }),
  order_index: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
});

/** How exams come to be. Fields come in the query string or in a JSON body. */
export const adminExamRoutes =
  (exams: ExamService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['admin'];
    const readExam = queryOrBody(NewExam);
    const readTask = queryOrBody(NewTask);

    app.post('/api/admin/exams', {
      config: { access: 'admin', fields: NewExam },
      schema: { tags, summary: 'Create an exam', response: { 201: ExamSchema, ...errors(401, 403, 404, 415) } },
      handler: async (request, reply) => reply.code(201).send(await exams.create(callerOf(request), readExam(request))),
    });

    app.post('/api/admin/exams/:id/tasks', {
      config: { access: 'admin', fields: NewTask },
      schema: {
        tags,
        summary: 'Add a task to an exam',
        params: IdParams,
        response: { 201: TaskSchema, ...errors(401, 403, 404, 415) },
      },
      handler: async (request, reply) =>
        reply.code(201).send(await exams.addTask(callerOf(request), request.params.id, readTask(request))),
    });
  };
