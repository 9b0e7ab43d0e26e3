import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import type { Door } from '../../http/access/doors.ts';
import { errors, Id, IdParams } from '../../http/protocol/schemas.ts';
import { assessmentKinds } from '../../values/assessment-kinds.ts';
import { NewRegrade, RegradeSchema, toRegrade } from './schema.ts';
import type { Regrades } from './service.ts';

const about =
  'On machines made from what the attempts left, a few at once, as far as students leave room. Nothing changes until it is applied. `GET /api/instructor/regrades/{id}` has the comparison. 409 without an attempt that has results.';
const responses = { 202: RegradeSchema, ...errors(401, 403, 404, 409, 415) };

const wanted = (body: Static<typeof NewRegrade> | undefined) => ({
  revision: body?.revision,
  reason: body?.reason ?? 'Graded again',
});

/** Attempts are graded again: one, or those of an exam session. */
export const regradeRoutes =
  (regrades: Regrades): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post('/api/instructor/attempts/:id/regrade', {
      config: { access: 'instructor' },
      schema: {
        ...{ tags: ['instructors'], summary: 'Grade an attempt again', description: about },
        ...{ params: IdParams, body: NewRegrade, response: responses },
      },
      handler: async (request, reply) => {
        const scope = { attemptId: request.params.id };
        return reply.code(202).send(toRegrade(await regrades.begin(callerOf(request), scope, wanted(request.body))));
      },
    });

    app.post('/api/exam-sessions/:id/regrade', {
      config: { access: 'user' },
      schema: {
        ...{ tags: ['exam-sessions'], summary: 'Grade the attempts of an exam session again' },
        description: `${about} For those who may change the session.`,
        ...{ params: IdParams, body: NewRegrade, response: responses },
      },
      handler: async (request, reply) => {
        const scope = { sessionId: request.params.id };
        return reply.code(202).send(toRegrade(await regrades.begin(callerOf(request), scope, wanted(request.body))));
      },
    });

    const path = '/api/instructor/regrades/:id';
    const tags = ['instructors'];
    app.get(path, {
      config: { access: 'instructor' },
      schema: {
        ...{ tags, params: IdParams, summary: 'What comes of grading attempts again' },
        description: 'For the caller who has requested it, and administrators.',
        response: { 200: RegradeSchema, ...errors(401, 403, 404) },
      },
      handler: async (request) => toRegrade(await regrades.get(callerOf(request), request.params.id)),
    });

    app.post(`${path}/apply`, {
      config: { access: 'instructor' },
      schema: {
        ...{ tags, params: IdParams, summary: 'Give the results of a regrade' },
        description:
          'Scores follow, and each student whose results change is notified once. What somebody has decided meanwhile stays. 409 `regrade_not_ready` unless it is `ready`.',
        response: { 200: RegradeSchema, ...errors(401, 403, 404, 409) },
      },
      handler: async (request) => toRegrade(await regrades.apply(callerOf(request), request.params.id)),
    });

    app.post(`${path}/drop`, {
      config: { access: 'instructor' },
      schema: {
        ...{ tags, params: IdParams, summary: 'Drop a regrade: no result changes' },
        description: '409 `regrade_not_ready` once it was applied or dropped.',
        response: { 200: RegradeSchema, ...errors(401, 403, 404, 409) },
      },
      handler: async (request) => toRegrade(await regrades.drop(callerOf(request), request.params.id)),
    });
  };

/** All attempts of an exam or a laboratory. Behind both doors. */
export const assessmentRegradeRoutes =
  (regrades: Regrades, door: Door): FastifyPluginAsyncTypebox =>
  async (app) => {
    for (const { kind, plural } of assessmentKinds)
      app.post(`${door.root}/${plural}/:id/regrade`, {
        config: door.allows(plural, 'change'),
        schema: {
          ...{
            tags: [door.tag],
            summary: `Grade all attempts of ${kind === 'exam' ? 'an exam' : 'a laboratory'} again`,
          },
          ...{ description: about, params: door.params({ id: Id }), body: NewRegrade, response: responses },
        },
        handler: async (request, reply) => {
          const scope = { kind, assessmentId: request.params.id };
          return reply.code(202).send(toRegrade(await regrades.begin(callerOf(request), scope, wanted(request.body))));
        },
      });
  };
