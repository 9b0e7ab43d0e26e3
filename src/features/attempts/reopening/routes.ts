import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../../http/access/access.ts';
import { PageQuery, readPage } from '../../../http/lists/paging.ts';
import { Done, done } from '../../../http/protocol/fields.ts';
import { errors, IdParams } from '../../../http/protocol/schemas.ts';
import { forStaff, toAttempt } from '../schema.ts';
import {
  AttemptEndingSchema,
  OpenReopenRequestSchema,
  Reopen,
  ReopenedAttemptSchema,
  ReopenRequestSchema,
} from './schema.ts';
import type { Reopening } from './service.ts';
import type { ReopenStore } from './store.ts';

const who = 'In an exam session by its instructors, otherwise by the instructors of the student.';

/** Ended attempts are given back to their students. */
export const reopenRoutes =
  (reopening: Reopening, store: ReopenStore): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['instructors'];
    const attempt = '/api/instructor/attempts/:id';

    app.post(`${attempt}/reopen`, {
      config: { access: 'instructor' },
      schema: {
        tags,
        summary: 'Give an ended attempt back to its student',
        description: `On a new machine of the same image, with the files that the attempt had left; the set-up does not run again. Services of \`systemctl\` that ran are started, and no other processes are restored. The clock goes on with the time that was left, or with the given minutes. Results and decisions until now are kept (\`${attempt.replace(':id', '{id}')}/endings\`), and the attempt is graded again at its end. The student is notified. ${who} 409 \`evidence_gone\` where the files are not kept, \`changed_meanwhile\` while they are being kept or restored, \`attempt_active\` where the student has another attempt, \`attempt_not_reopenable\` before its end.`,
        params: IdParams,
        body: Reopen,
        response: { 200: ReopenedAttemptSchema, ...errors(401, 403, 404, 409, 415, 503) },
      },
      handler: async (request) => {
        const { attempt: row, containerId } = await reopening.reopen(
          callerOf(request),
          request.params.id,
          request.body?.minutes,
        );
        return { ...toAttempt(row, { containerId, audience: forStaff }) };
      },
    });

    app.get(`${attempt}/endings`, {
      config: { access: 'instructor' },
      schema: {
        tags,
        summary: 'What an attempt was each time before it was reopened, the oldest first',
        params: IdParams,
        response: { 200: Type.Array(AttemptEndingSchema), ...errors(401, 403, 404) },
      },
      handler: async (request) => await store.endings(callerOf(request), request.params.id),
    });

    app.get('/api/instructor/reopen-requests', {
      config: { access: 'instructor' },
      schema: {
        tags,
        summary: 'Attempts that students ask to have back, the oldest first',
        description: 'Those about which the caller may decide.',
        querystring: PageQuery,
        response: { 200: Type.Array(OpenReopenRequestSchema), ...errors(401, 403) },
      },
      handler: async (request, reply) =>
        await readPage(request, reply, (page) => store.requests(callerOf(request), page)),
    });

    app.delete(`${attempt}/reopen-request`, {
      config: { access: 'instructor' },
      schema: {
        tags,
        summary: 'Decline to give an attempt back',
        description: `The student is notified. ${who}`,
        params: IdParams,
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) =>
        await done(store.decline(callerOf(request), request.params.id), 'The student was told that it stays as it is'),
    });

    const own = '/api/exams/attempts/:id/reopen-request';
    const ofStudent = ['exams'];
    app.get(own, {
      config: { access: 'user' },
      schema: {
        tags: ofStudent,
        summary: "Whether the caller's attempt can be asked back",
        params: IdParams,
        response: { 200: ReopenRequestSchema, ...errors(401, 404) },
      },
      handler: async (request) => await store.request(callerOf(request), request.params.id),
    });

    app.post(own, {
      config: { access: 'user' },
      schema: {
        tags: ofStudent,
        summary: "Ask to have the caller's attempt back",
        description:
          'For one that was submitted or abandoned by mistake, once. Its instructors are notified. 409 `reopen_requested` the second time, `attempt_not_reopenable` where its files are not kept or somebody else has ended it.',
        params: IdParams,
        response: { 201: ReopenRequestSchema, ...errors(401, 404, 409) },
      },
      handler: async (request, reply) => reply.code(201).send(await store.ask(callerOf(request), request.params.id)),
    });
  };
