import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { NotFound } from '../../errors.ts';
import { callerOf } from '../../http/access.ts';
import { byId, CursorQuery, cursorPageOf, setCursorHeaders } from '../../http/paging.ts';
import { errors, IdParams } from '../../http/schemas.ts';
import {
  ExamAttemptSchema,
  ExamResultsSchema,
  LaboratoryAttemptSchema,
  LaboratoryResultsSchema,
  toAttempt,
  toResults,
} from './schema.ts';
import type { AttemptService } from './service.ts';

const surfaces = {
  exam: { tag: 'exams', Attempt: ExamAttemptSchema, Results: ExamResultsSchema },
  laboratory: { tag: 'laboratories', Attempt: LaboratoryAttemptSchema, Results: LaboratoryResultsSchema },
};

/** The attempts of one kind, below `/api/exams` or `/api/laboratories`. */
export const attemptRoutes =
  (attempts: AttemptService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { tag, Attempt, Results } = surfaces[attempts.kind];
    const path = `/api/${tag}/attempts`;
    const tags = [tag];

    app.get(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "The caller's attempts, newest first",
        querystring: CursorQuery,
        response: { 200: Type.Array(Attempt), ...errors(401) },
      },
      handler: async (request, reply) => {
        const page = cursorPageOf(request, request.query);
        const listed = await attempts.list(callerOf(request), page);
        setCursorHeaders(request, reply, page, listed, byId);
        return listed.rows.map(({ attempt, audience }) => toAttempt(attempt, { containerId: null, audience }));
      },
    });

    app.get(`${path}/:id/results`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'An attempt with its results',
        ...(attempts.kind === 'exam'
          ? {
              description:
                'Students get the results of an exam when the attempt has ended; instructors and administrators at any time.',
            }
          : {}),
        params: IdParams,
        response: { 200: Results, ...errors(401, 404) },
      },
      handler: async (request) => {
        const view = await attempts.results(callerOf(request), request.params.id);
        return toResults(view, view);
      },
    });

    app.post(`${path}/:id/abandon`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Abandon an attempt',
        params: IdParams,
        response: { 200: Attempt, ...errors(401, 404, 409) },
      },
      handler: async (request) => {
        const { attempt, audience } = await attempts.abandon(callerOf(request), request.params.id);
        return toAttempt(attempt, { containerId: null, audience });
      },
    });

    if (attempts.kind === 'laboratory') {
      app.get(`${path}/active`, {
        config: { access: 'user' },
        schema: {
          tags,
          summary: "The caller's active attempts, newest first: at most one of each laboratory",
          response: { 200: Type.Array(LaboratoryResultsSchema), ...errors(401) },
        },
        handler: async (request) => (await attempts.active(callerOf(request))).map((view) => toResults(view, view)),
      });
      return;
    }

    app.get(`${path}/active`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "The caller's active attempt",
        response: { 200: ExamResultsSchema, ...errors(401, 404) },
      },
      handler: async (request) => {
        const [view] = await attempts.active(callerOf(request));
        if (!view) throw new NotFound('no_active_attempt', 'No active attempt');
        return toResults(view, view);
      },
    });
  };
