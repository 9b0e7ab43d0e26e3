import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { bearerToken, callerOf } from '../../http/access/access.ts';
import { sendEvents } from '../../http/protocol/event-stream.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import type { RoomFeed } from './feed.ts';
import { RoomChangeSchema, RoomSchema } from './schema.ts';

/** The room of an exam session, for those who supervise its class. */
export const roomRoutes =
  (feed: RoomFeed, admission: (token: string) => Parameters<RoomFeed['watch']>[1]): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['exam sessions'];
    const path = '/api/exam-sessions/:id/room';
    const forWhom = 'For instructors and assistants of the class, and administrators.';
    // A stream ends only with its client, and the server waits for it.
    app.addHook('preClose', async () => await feed[Symbol.asyncDispose]());

    app.get(path, {
      config: { access: 'user' },
      schema: {
        ...{ tags, params: IdParams },
        summary: 'The students of an exam session, with their newest attempts',
        description: `By username. ${forWhom}`,
        response: { 200: RoomSchema, ...errors(401, 403, 404) },
      },
      handler: async (request) => await feed.read(callerOf(request), request.params.id),
    });

    app.get(`${path}/events`, {
      config: { access: 'user' },
      schema: {
        ...{ tags, params: IdParams },
        summary: 'The same as a stream of server-sent events',
        description: `The first event is \`room\` with an ExamRoom. Each \`change\` has the session if it has changed, the students who have changed, and in \`gone\` the ids of those who are no longer in the room. The stream ends with the token, with the access, and when the service stops. ${forWhom}`,
        response: {
          200: {
            description: 'A stream of events.',
            content: {
              'text/event-stream': { schema: Type.Unsafe<unknown>({ type: 'string', 'x-event': RoomChangeSchema }) },
            },
          },
          ...errors(401, 403, 404, 503),
        },
      },
      handler: async (request, reply) => {
        const token = bearerToken(request.headers.authorization) ?? '';
        const stream = await feed.watch(request.params.id, admission(token));
        return sendEvents(request, reply, stream);
      },
    });
  };
