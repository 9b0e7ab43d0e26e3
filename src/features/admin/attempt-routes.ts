import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { CursorQuery, cursorPageOf, setCursorHeaders } from '../../http/lists/paging.ts';
import { sortKey } from '../../http/lists/sorting.ts';
import { queryOrBody } from '../../http/protocol/query-or-body.ts';
import { errors, Id, IdParams, Nullable, OneOf } from '../../http/protocol/schemas.ts';
import type { AttemptAdminService } from '../attempts/attempt-admin-service.ts';
import { ExamAttemptSchema, ExamResultsSchema, forStaff, toAttempt, toResults } from '../attempts/schema.ts';

const kind = OneOf('exam', 'laboratory');
const either = { kind, laboratory_id: Nullable(Type.Integer()) };
const AttemptSchema = Type.Object({ ...either, ...ExamAttemptSchema.properties }, { title: 'Attempt' });
const ResultsSchema = Type.Object({ ...either, ...ExamResultsSchema.properties }, { title: 'AttemptResults' });

const ListQuery = Type.Object({
  user_id: Type.Optional(Id),
  kind: Type.Optional(kind),
  exam_id: Type.Optional(Id),
  laboratory_id: Type.Optional(Id),
  status: Type.Optional(ExamAttemptSchema.properties.status),
  passed: Type.Optional(Type.Boolean()),
  ...CursorQuery.properties,
});
const TimeChange = Type.Object(
  {
    time_limit_minutes: Type.Integer({ minimum: 1, maximum: 10_080, description: 'The total time from the start.' }),
  },
  { title: 'AttemptTimeChange' },
);

/** All users' attempts of exams and laboratories. */
export const adminAttemptRoutes =
  (attempts: AttemptAdminService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['admin'];
    const readTime = queryOrBody(TimeChange);

    app.get('/api/admin/attempts', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Attempts of all users, newest first',
        querystring: ListQuery,
        response: { 200: Type.Array(AttemptSchema), ...errors(401, 403, 404) },
      },
      handler: async (request, reply) => {
        const { page: _page, page_size: _size, cursor: _cursor, ...filter } = request.query;
        const page = cursorPageOf(request, request.query);
        const listed = await attempts.list(callerOf(request), filter, page);
        setCursorHeaders(request, reply, page, listed, (row) =>
          sortKey('started_at', row.started_at.toISOString(), row.id),
        );
        return listed.rows.map((row) => toAttempt(row, { containerId: row.container_id, audience: forStaff }));
      },
    });

    app.get('/api/admin/attempts/:id', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'An attempt of any user, with its results',
        params: IdParams,
        response: { 200: ResultsSchema, ...errors(401, 403, 404) },
      },
      handler: async (request) => {
        const view = await attempts.get(request.params.id);
        return toResults(view, { containerId: view.containerId, audience: forStaff });
      },
    });

    app.post('/api/admin/attempts/:id/grade', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Repeat a failed grading',
        description: 'Ends the attempt like a submission. 409 unless it is in progress and has a `grading_error`.',
        params: IdParams,
        response: { 200: ResultsSchema, ...errors(401, 403, 404, 409, 503) },
      },
      handler: async (request) => {
        const graded = await attempts.grade(callerOf(request), request.params.id);
        return toResults(graded, { containerId: null, audience: forStaff });
      },
    });

    app.put('/api/admin/attempts/:id', {
      config: { access: 'admin', fields: TimeChange },
      schema: {
        tags,
        summary: 'Extend the time of an attempt',
        description: '409 unless the attempt is in progress, has a time limit, and gets more time.',
        params: IdParams,
        response: { 200: ResultsSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request) => {
        const { id } = request.params;
        await attempts.extend(callerOf(request), id, { whole: readTime(request).time_limit_minutes });
        const view = await attempts.get(id);
        return toResults(view, { containerId: view.containerId, audience: forStaff });
      },
    });
  };
