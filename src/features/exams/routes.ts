import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access.ts';
import { PageQuery, pageOf, setPageHeaders } from '../../http/paging.ts';
import { errors, IdParams } from '../../http/schemas.ts';
import { ExamResultsSchema, isStaff, toResults, toStarted, toSubject } from '../attempts/schema.ts';
import { ExamSchema, StartedSchema } from './schema.ts';
import type { ExamService } from './service.ts';

export const examRoutes =
  (exams: ExamService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['exams'];

    app.get('/api/exams', {
      config: { access: 'catalogue' },
      schema: {
        tags,
        summary: 'Exams with their tasks',
        querystring: PageQuery,
        response: { 200: Type.Array(ExamSchema), ...errors(401) },
      },
      handler: async (request, reply) => {
        const list = await exams.list();
        const page = pageOf(request.query);
        setPageHeaders(request, reply, page, list.length);
        const shown =
          list.length <= page.limit && page.offset === 0 ? list : list.slice(page.offset, page.offset + page.limit);
        return shown.map((exam) => toSubject(exam, request.user));
      },
    });

    app.get('/api/exams/:id', {
      config: { access: 'catalogue' },
      schema: { tags, summary: 'One exam', params: IdParams, response: { 200: ExamSchema, ...errors(401, 404) } },
      handler: async (request) => toSubject(await exams.get(request.user, request.params.id), request.user),
    });

    app.post('/api/exams/:id/start', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Start an attempt',
        description:
          'Makes a container for it and starts the clock. What its terminals show is recorded, for instructors to see; tell the student so. One attempt at a time, whatever the exam: a second is 409.',
        params: IdParams,
        response: { 201: StartedSchema, ...errors(401, 404, 409, 503) },
      },
      handler: async (request, reply) => {
        const started = await exams.start(callerOf(request), request.params.id);
        return reply.code(201).send({ exam_id: request.params.id, ...toStarted(started) });
      },
    });

    app.post('/api/exams/:id/submit', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Submit the active attempt and have it graded',
        description:
          'Answers with the full results. The grading goes on when the client leaves. 503 when it failed part-way: the work is kept, ' +
          'the verdicts are not; submit again.',
        params: IdParams,
        response: { 200: ExamResultsSchema, ...errors(401, 404, 409, 503) },
      },
      handler: async (request) => {
        const graded = await exams.submit(callerOf(request), request.params.id);
        return toResults(graded, { containerId: null, forStaff: isStaff(request.user) });
      },
    });
  };
