import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { NotFoundError } from '../../errors.ts';
import { callerOf } from '../../http/access/access.ts';
import { byId, CursorQuery, cursorPageOf, setCursorHeaders } from '../../http/lists/paging.ts';
import { isOptional } from '../../http/protocol/fields.ts';
import { errors, IdParams, Nullable } from '../../http/protocol/schemas.ts';
import type { BreakService } from './breaks/service.ts';
import {
  AttemptBreakSchema,
  ExamAttemptSchema,
  ExamResultsSchema,
  LaboratoryAttemptSchema,
  LaboratoryResultsSchema,
  toAttempt,
  toResults,
} from './schema.ts';
import type { AttemptService } from './service.ts';
import type { AttemptRow, ReadAttempt } from './store.ts';

const surfaces = {
  exam: { tag: 'exams', Attempt: ExamAttemptSchema, Results: ExamResultsSchema },
  laboratory: { tag: 'laboratories', Attempt: LaboratoryAttemptSchema, Results: LaboratoryResultsSchema },
};

/** By the clock that decides about deadlines. The header `Date` has whole seconds, and can be that of a proxy. */
function setServiceTime(reply: FastifyReply, view: { attempt: AttemptRow } | undefined): void {
  if (view && 'read_at' in view.attempt)
    reply.header('Service-Time', (view.attempt as ReadAttempt).read_at.toISOString());
}
const serviceTimeNote =
  'The header `Service-Time` has the time of the answer by the clock that decides about `expires_at`: countdowns follow it.';

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
        description:
          attempts.kind === 'exam'
            ? `Students get the results of an exam when the attempt has ended; instructors and administrators at any time. ${serviceTimeNote}`
            : serviceTimeNote,
        params: IdParams,
        response: { 200: Results, ...errors(401, 404) },
      },
      handler: async (request, reply) => {
        const view = await attempts.results(callerOf(request), request.params.id);
        setServiceTime(reply, view);
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
          description: serviceTimeNote,
          response: { 200: Type.Array(LaboratoryResultsSchema), ...errors(401) },
        },
        handler: async (request, reply) => {
          const views = await attempts.active(callerOf(request));
          setServiceTime(reply, views[0]);
          return views.map((view) => toResults(view, view));
        },
      });
      return;
    }

    app.get(`${path}/active`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "The caller's active attempt",
        description: serviceTimeNote,
        querystring: Type.Object({ is_optional: isOptional }),
        response: { 200: Nullable(ExamResultsSchema), ...errors(401, 404) },
      },
      handler: async (request, reply) => {
        const [view] = await attempts.active(callerOf(request));
        if (!view && request.query.is_optional) return null;
        if (!view) throw new NotFoundError('no_active_attempt', 'No active attempt');
        setServiceTime(reply, view);
        return toResults(view, view);
      },
    });
  };

/** The breaks of students in their exams. */
export const breakRoutes =
  (breaks: BreakService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const path = '/api/exams/attempts/:id/break';
    const tags = ['exams'];

    app.post(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "Start a break in the caller's attempt",
        description:
          'The clock is stopped, and terminals are held. The break ends at `break_ends_at` at the latest: when its time is used up, or when the session closes. It does not move the close. A break that is running continues. 409 without time for breaks, and while the session is paused.',
        params: IdParams,
        response: { 200: AttemptBreakSchema, ...errors(401, 404, 409) },
      },
      handler: async (request) => await breaks.start(callerOf(request), request.params.id),
    });

    app.delete(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "End the break in the caller's attempt",
        description: 'The clock continues, unless the session is paused. 409 if no break is running.',
        params: IdParams,
        response: { 200: AttemptBreakSchema, ...errors(401, 404, 409) },
      },
      handler: async (request) => await breaks.end(callerOf(request), request.params.id),
    });
  };
