import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { callerOf } from '../../http/access.ts';
import { PageQuery, pageOf, setPageHeaders } from '../../http/paging.ts';
import { errors, IdParams } from '../../http/schemas.ts';
import { ExamAttemptSchema, ExamResultsSchema, toAttempt, toResults } from '../attempts/schema.ts';
import { ExamSchema, StartedSchema, toExam } from './schema.ts';
import type { ExamService } from './service.ts';

const isStaff = (request: FastifyRequest): boolean => request.user !== undefined && request.user.role !== 'student';

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
        return shown.map((exam) => toExam(exam, isStaff(request)));
      },
    });

    app.get('/api/exams/:id', {
      config: { access: 'catalogue' },
      schema: { tags, summary: 'One exam', params: IdParams, response: { 200: ExamSchema, ...errors(401, 404) } },
      handler: async (request) => toExam(await exams.get(request.user, request.params.id), isStaff(request)),
    });

    app.post('/api/exams/:id/start', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Start an attempt',
        description:
          'Makes a container for it and starts the clock. One attempt at a time, whatever the exam: a second is 409.',
        params: IdParams,
        response: { 201: StartedSchema, ...errors(401, 404, 409, 503) },
      },
      handler: async (request, reply) => {
        const { attempt, container } = await exams.start(callerOf(request), request.params.id);
        const { id: attempt_id, container_name, started_at, expires_at } = attempt;
        const started = {
          attempt_id,
          exam_id: request.params.id,
          container_id: container.id,
          container_name,
          started_at,
          expires_at,
        };
        return reply.code(201).send({ ...started, status: 'in_progress' as const });
      },
    });

    app.post('/api/exams/:id/submit', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Submit the active attempt and have it graded',
        description: 'Answers with the full results. 503 when grading failed part-way: nothing is lost, submit again.',
        params: IdParams,
        response: { 200: ExamResultsSchema, ...errors(401, 404, 409, 503) },
      },
      handler: async (request) => {
        const graded = await exams.submit(callerOf(request), request.params.id);
        return toResults(graded, { containerId: null, forStaff: isStaff(request) });
      },
    });

    app.get('/api/exams/attempts', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "The caller's attempts, newest first",
        querystring: PageQuery,
        response: { 200: Type.Array(ExamAttemptSchema), ...errors(401) },
      },
      handler: async (request, reply) => {
        const page = pageOf(request.query);
        const { rows, total } = await exams.attempts(callerOf(request), page);
        setPageHeaders(request, reply, page, total);
        return rows.map((row) => toAttempt(row, { containerId: null, forStaff: isStaff(request) }));
      },
    });

    app.get('/api/exams/attempts/active', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "The caller's active attempt",
        response: { 200: ExamResultsSchema, ...errors(401, 404) },
      },
      handler: async (request) => {
        const view = await exams.active(callerOf(request));
        return toResults(view, { containerId: view.containerId, forStaff: isStaff(request) });
      },
    });

    app.get('/api/exams/attempts/:id/results', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'An attempt with its results so far',
        params: IdParams,
        response: { 200: ExamResultsSchema, ...errors(401, 404) },
      },
      handler: async (request) => {
        const view = await exams.results(callerOf(request), request.params.id);
        return toResults(view, { containerId: view.containerId, forStaff: isStaff(request) });
      },
    });

    app.post('/api/exams/attempts/:id/abandon', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Give an attempt up, without a result',
        params: IdParams,
        response: { 200: ExamAttemptSchema, ...errors(401, 404, 409) },
      },
      handler: async (request) => {
        const attempt = await exams.abandon(callerOf(request), request.params.id);
        return toAttempt(attempt, { containerId: null, forStaff: isStaff(request) });
      },
    });
  };
