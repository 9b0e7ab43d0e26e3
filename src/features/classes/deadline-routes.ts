import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { PageQuery, readPage } from '../../http/lists/paging.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import type { DeadlineStore } from './deadline-store.ts';
import { DeadlineBody, DeadlineParams, DeadlineSchema, OwnDeadlineQuery } from './schema.ts';

/** The deadlines of laboratories in classes. */
export const deadlineRoutes =
  (deadlines: DeadlineStore): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['classes'];
    const path = '/api/classes/:id/deadlines';
    const forWhom = 'For instructors of the class and administrators.';

    app.get('/api/deadlines', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'The deadlines of the caller as a student, the first that are due first',
        description:
          'With the own extensions of the caller. After a deadline the laboratory can still be passed. The class sees that it is late, and the grade is reduced by the late rule.',
        querystring: OwnDeadlineQuery,
        response: { 200: Type.Array(DeadlineSchema), ...errors(401) },
      },
      handler: async (request, reply) =>
        await readPage(request, reply, (page) =>
          deadlines.ofStudent(callerOf(request), page, request.query.laboratory_id),
        ),
    });

    app.get(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'The deadlines of the laboratories of a class, the first that are due first',
        params: IdParams,
        querystring: PageQuery,
        response: { 200: Type.Array(DeadlineSchema), ...errors(401, 404) },
      },
      handler: async (request, reply) =>
        await readPage(request, reply, (page) => deadlines.ofClass(callerOf(request), request.params.id, page)),
    });

    app.put(`${path}/:laboratory_id`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Set the deadline of a laboratory for a class',
        description: `The laboratory must be in a course of the class. Each day that has begun after \`due_at\` costs \`late_percent_per_day\` percent of the grade, down to \`late_floor_percent\`; omitted, the rule is unchanged. ${forWhom}`,
        params: DeadlineParams,
        body: DeadlineBody,
        response: { 200: DeadlineSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request) => {
        const { id, laboratory_id } = request.params;
        const { due_at, ...rule } = request.body;
        return await deadlines.set(callerOf(request), id, laboratory_id, { due_at: new Date(due_at), ...rule });
      },
    });

    app.delete(`${path}/:laboratory_id`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Delete the deadline of a laboratory for a class',
        description: `Its extensions are deleted with it. ${forWhom}`,
        params: DeadlineParams,
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) => {
        const { id, laboratory_id } = request.params;
        return await done(deadlines.delete(callerOf(request), id, laboratory_id), 'Deadline deleted');
      },
    });
  };
