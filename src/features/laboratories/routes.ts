import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access.ts';
import { errors, Id, IdParams } from '../../http/schemas.ts';
import { isStaff, LaboratoryResultsSchema, toResults, toStarted, toSubject } from '../attempts/schema.ts';
import { LaboratorySchema, StartedSchema } from './schema.ts';
import type { LaboratoryService } from './service.ts';

export const laboratoryRoutes =
  (laboratories: LaboratoryService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['laboratories'];

    app.get('/api/laboratories/:id', {
      config: { access: 'catalogue' },
      schema: {
        tags,
        summary: 'One laboratory with its tasks and hints',
        params: IdParams,
        response: { 200: LaboratorySchema, ...errors(401, 404) },
      },
      handler: async (request) => toSubject(await laboratories.get(request.user, request.params.id), request.user),
    });

    app.get('/api/laboratories/section/:section_id/laboratory', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'The laboratory of a section',
        params: Type.Object({ section_id: Id }),
        response: { 200: LaboratorySchema, ...errors(401, 404) },
      },
      handler: async (request) => toSubject(await laboratories.ofSection(request.params.section_id), request.user),
    });

    app.post('/api/laboratories/:id/start', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Start an attempt, or go on with the active one',
        description:
          '201 with a new attempt and its container; 200 with the attempt of this laboratory that is active already. ' +
          'Without a time limit of its own an attempt is graded as it stands after `SANDBOX_MAX_HOURS`.',
        params: IdParams,
        response: { 200: StartedSchema, 201: StartedSchema, ...errors(401, 404, 409, 503) },
      },
      handler: async (request, reply) => {
        const started = await laboratories.start(callerOf(request), request.params.id);
        return reply.code(started.isNew ? 201 : 200).send({ laboratory_id: request.params.id, ...toStarted(started) });
      },
    });

    app.post('/api/laboratories/:id/check', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Grade the active attempt for practice, without ending it',
        description:
          'Answers with the results as they are now; the attempt stays `in_progress`, and `score` tells the points so far. ' +
          '409 while it is being submitted, or when its time is over.',
        params: IdParams,
        response: { 200: LaboratoryResultsSchema, ...errors(401, 404, 409, 503) },
      },
      handler: async (request) => {
        const checked = await laboratories.check(callerOf(request), request.params.id);
        return toResults(checked, { containerId: checked.containerId, forStaff: isStaff(request.user) });
      },
    });

    app.post('/api/laboratories/:id/submit', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Have the active attempt graded, and end it',
        description:
          'Answers with the full results. The grading goes on when the client leaves. 503 when it failed part-way: the work is kept, ' +
          'the verdicts are not; submit again.',
        params: IdParams,
        response: { 200: LaboratoryResultsSchema, ...errors(401, 404, 409, 503) },
      },
      handler: async (request) => {
        const graded = await laboratories.submit(callerOf(request), request.params.id);
        return toResults(graded, { containerId: null, forStaff: isStaff(request.user) });
      },
    });
  };
