import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import type { Door } from '../../http/access/doors.ts';
import { readPage } from '../../http/lists/paging.ts';
import { errors, Id, IdParams } from '../../http/protocol/schemas.ts';
import { assessmentKinds } from '../../values/assessment-kinds.ts';
import { ListedRegradeSchema, NewRegrade, RegradeQuery, RegradeSchema } from './schema.ts';
import type { Regrades } from './service.ts';

const about =
  'Answers by the rules of their tasks, and checks on machines made from what the attempts left, a few at once, as far as students leave room. What people have graded stays. Nothing changes until it is applied. `GET /api/instructor/regrades/{id}` has the comparison. 409 without an attempt that has results.';
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
        return reply.code(202).send(await regrades.begin(callerOf(request), scope, wanted(request.body)));
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
        return reply.code(202).send(await regrades.begin(callerOf(request), scope, wanted(request.body)));
      },
    });

    const tags = ['instructors'];
    const sees = 'who has requested it, administrators, the editors of the course, and who sees each attempt of it';
    app.get('/api/instructor/regrades', {
      config: { access: 'instructor' },
      schema: {
        ...{ tags, querystring: RegradeQuery, summary: 'Attempts that are or were graded again, newest first' },
        description: `Each for ${sees}.`,
        response: { 200: Type.Array(ListedRegradeSchema), ...errors(401, 403) },
      },
      handler: async (request, reply) => {
        const { exam_id, laboratory_id, session_id: sessionId } = request.query;
        const kind = exam_id === undefined ? 'laboratory' : 'exam';
        const filter = { kind, assessmentId: exam_id ?? laboratory_id, sessionId } as const;
        return await readPage(request, reply, (page) => regrades.list(callerOf(request), filter, page));
      },
    });

    const path = '/api/instructor/regrades/:id';
    app.get(path, {
      config: { access: 'instructor' },
      schema: {
        ...{ tags, params: IdParams, summary: 'What comes of grading attempts again' },
        description: `For ${sees}. Who has requested it and administrators apply or drop it.`,
        response: { 200: RegradeSchema, ...errors(401, 403, 404) },
      },
      handler: async (request) => await regrades.get(callerOf(request), request.params.id),
    });

    app.post(`${path}/apply`, {
      config: { access: 'instructor' },
      schema: {
        ...{ tags, params: IdParams, summary: 'Give the results of a regrade' },
        description:
          'Scores follow, and each student whose results change is notified once. What somebody has decided meanwhile stays. 409 `regrade_not_ready` unless it is `ready`.',
        response: { 200: RegradeSchema, ...errors(401, 403, 404, 409) },
      },
      handler: async (request) => await regrades.apply(callerOf(request), request.params.id),
    });

    app.post(`${path}/drop`, {
      config: { access: 'instructor' },
      schema: {
        ...{ tags, params: IdParams, summary: 'Drop a regrade: no result changes' },
        description: '409 `regrade_not_ready` once it was applied or dropped.',
        response: { 200: RegradeSchema, ...errors(401, 403, 404, 409) },
      },
      handler: async (request) => await regrades.drop(callerOf(request), request.params.id),
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
          return reply.code(202).send(await regrades.begin(callerOf(request), scope, wanted(request.body)));
        },
      });
  };
