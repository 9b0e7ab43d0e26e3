import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access.ts';
import { Done } from '../../http/fields.ts';
import { PageQuery, pageOf, setPageHeaders } from '../../http/paging.ts';
import { errors, Id, IdParams } from '../../http/schemas.ts';
import type { AccommodationStore } from './accommodation-store.ts';
import { AccommodationChange, AccommodationSchema, withDates } from './schema.ts';
import type { ExamSessionService } from './service.ts';

const Params = Type.Object({ id: Id, user_id: Id });

/** The accommodations of an exam session. */
export const accommodationRoutes =
  (accommodations: AccommodationStore, service: ExamSessionService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['exam sessions'];
    const path = '/api/exam-sessions/:id/accommodations';

    app.get(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'The accommodations of an exam session, by username',
        description: 'Not for students.',
        params: IdParams,
        querystring: PageQuery,
        response: { 200: Type.Array(AccommodationSchema), ...errors(401, 403, 404) },
      },
      handler: async (request, reply) => {
        const page = pageOf(request.query);
        const { rows, total } = await accommodations.list(callerOf(request), request.params.id, page);
        setPageHeaders(request, reply, page, total);
        return rows;
      },
    });

    app.put(`${path}/:user_id`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Set the accommodation of a student',
        description:
          'Only the given fields; null is as for everybody. It also applies to an attempt that runs. For instructors of the class and administrators.',
        params: Params,
        body: AccommodationChange,
        response: { 200: AccommodationSchema, ...errors(401, 403, 404, 415) },
      },
      handler: async (request) => {
        const { id, user_id } = request.params;
        return await service.accommodate(callerOf(request), id, user_id, withDates(request.body));
      },
    });

    app.delete(`${path}/:user_id`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Withdraw the accommodation of a student',
        description: 'It also applies to an attempt that runs. For instructors of the class and administrators.',
        params: Params,
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) => {
        const { id, user_id } = request.params;
        await service.withdrawAccommodation(callerOf(request), id, user_id);
        return { detail: 'Accommodation withdrawn' };
      },
    });
  };
