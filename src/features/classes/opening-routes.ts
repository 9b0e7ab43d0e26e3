import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { PageQuery, readPage } from '../../http/lists/paging.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import type { ClassOpeningStore } from './opening-store.ts';
import { ClassOpeningBody, ClassOpeningParams, ClassOpeningSchema } from './schema.ts';

/** When the parts of courses open for a class. @param onChange cached copies are out of date */
export const classOpeningRoutes =
  (openings: ClassOpeningStore, onChange: () => void): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['classes'];
    const path = '/api/classes/:id/openings';

    app.get(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'The sections, laboratories and exams of the courses of a class, with the times when they open',
        params: IdParams,
        querystring: PageQuery,
        response: { 200: Type.Array(ClassOpeningSchema), ...errors(401, 404) },
      },
      handler: async (request, reply) =>
        await readPage(request, reply, (page) => openings.list(callerOf(request), request.params.id, page)),
    });

    app.put(`${path}/:kind/:part_id`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Set when a section, a laboratory or an exam opens for a class',
        description:
          'For the students of the class the time replaces that of the course; null removes it. For a student of several classes the first time counts. What the course waits for stays. For instructors of the class and administrators.',
        params: ClassOpeningParams,
        body: ClassOpeningBody,
        response: { 200: ClassOpeningSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request) => {
        const { id, kind, part_id } = request.params;
        const { opens_at } = request.body;
        const at = opens_at === null ? null : new Date(opens_at);
        const set = await openings.set(callerOf(request), id, { kind, id: part_id }, at);
        onChange();
        return set;
      },
    });
  };
