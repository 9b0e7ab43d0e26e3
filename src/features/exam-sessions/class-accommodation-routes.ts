import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access.ts';
import { Done } from '../../http/fields.ts';
import { PageQuery, pageOf, setPageHeaders } from '../../http/paging.ts';
import { errors, Id, IdParams } from '../../http/schemas.ts';
import type { ClassAccommodationStore } from './class-accommodation-store.ts';
import { ClassAccommodationChange, ClassAccommodationSchema } from './schema.ts';
import type { ExamSessionService } from './service.ts';

const Params = Type.Object({ id: Id, user_id: Id });

/** The accommodations that hold in all exam sessions of a class. */
export const classAccommodationRoutes =
  (accommodations: ClassAccommodationStore, service: ExamSessionService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['exam sessions'];
    const path = '/api/classes/:id/accommodations';

    app.get(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'The accommodations in all exam sessions of a class, by username',
        description: 'Not for students.',
        params: IdParams,
        querystring: PageQuery,
        response: { 200: Type.Array(ClassAccommodationSchema), ...errors(401, 403, 404) },
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
        summary: 'Set the accommodation of a student in all exam sessions of a class',
        description:
          'Only the given fields. It also applies to an attempt that runs. What the accommodation of a session sets holds there instead. For instructors of the class and administrators.',
        params: Params,
        body: ClassAccommodationChange,
        response: { 200: ClassAccommodationSchema, ...errors(401, 403, 404, 415) },
      },
      handler: async (request) => {
        const { id, user_id } = request.params;
        return await service.accommodateInClass(callerOf(request), id, user_id, request.body);
      },
    });

    app.delete(`${path}/:user_id`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Withdraw the accommodation of a student in a class',
        description: 'It also applies to an attempt that runs. For instructors of the class and administrators.',
        params: Params,
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) => {
        const { id, user_id } = request.params;
        await service.withdrawClassAccommodation(callerOf(request), id, user_id);
        return { detail: 'Accommodation withdrawn' };
      },
    });
  };
