import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { bearerToken, callerOf } from '../../http/access/access.ts';
import { sendEvents } from '../../http/protocol/event-stream.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import { SessionSchema } from '../exam-sessions/schema.ts';
import type { RoomFeed } from './feed.ts';
import {
  Ending,
  EndingBreak,
  Extension,
  MessageSchema,
  NewMessage,
  RoomChangeSchema,
  RoomSchema,
  SilentChecking,
  Unlocking,
} from './schema.ts';
import type { ExamRoomService } from './service.ts';

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

const actions = {
  release: {
    summary: 'Show the results of an exam session to its students',
    description: '409 if it never shows them.',
  },
  pause: {
    summary: 'Pause an exam session',
    description: 'The clocks of its attempts stop, and nobody starts. 409 unless it is open.',
  },
  resume: {
    summary: 'Resume an exam session',
    description:
      'The deadlines of its attempts and its close move by the time of the pause. 409 unless the session is paused.',
  },
};

/** What instructors do while an exam session runs, and after it. */
export const sessionControlRoutes =
  (service: ExamRoomService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['exam sessions'];
    const path = '/api/exam-sessions/:id';
    const forWhom = 'For instructors of the class or the session and administrators.';

    for (const action of ['release', 'pause', 'resume'] as const) {
      const { summary, description } = actions[action];
      app.post(`${path}/${action}`, {
        config: { access: 'user' },
        schema: {
          ...{ tags, summary, description: `${description} ${forWhom}`, params: IdParams },
          response: { 200: SessionSchema, ...errors(401, 403, 404, 409) },
        },
        handler: async (request) => await service[action](callerOf(request), request.params.id),
      });
    }

    app.post(`${path}/extend`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Give more time in an exam session',
        description: `To the attempts that run. With \`user_id\` to one student, otherwise to everybody: the session then closes later. ${forWhom}`,
        params: IdParams,
        body: Extension,
        response: { 200: SessionSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request) => {
        const { minutes, user_id } = request.body;
        return await service.extend(callerOf(request), request.params.id, minutes, user_id);
      },
    });

    app.post(`${path}/unlock`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Let a student log in on another device during a locked exam',
        description: `All tokens of the student become invalid. The next login locks the account again. 404 without such an attempt. ${forWhom}`,
        params: IdParams,
        body: Unlocking,
        response: { 200: Done, ...errors(401, 403, 404, 415) },
      },
      handler: async (request) =>
        await done(service.unlock(callerOf(request), request.params.id, request.body.user_id), 'Login released'),
    });

    app.post(`${path}/end-break`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'End the break of a student',
        description: `The clock continues, unless the session is paused. 404 without an attempt that runs, 409 unless the student is on a break. ${forWhom}`,
        params: IdParams,
        body: EndingBreak,
        response: { 200: Done, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request) =>
        await done(service.endBreak(callerOf(request), request.params.id, request.body.user_id), 'Break ended'),
    });

    const checks = `${path}/silent-checks`;
    const forStaff = 'For instructors of the class or the session and administrators, but no students.';

    app.put(checks, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Run the checks of the attempts of an exam session silently',
        description: `At this interval, while the attempts run. The room shows what they find in \`task_marks\`; their students see nothing of it, and no result changes. It ends with the session, 10 minutes after a room was last watched, and after 8 hours. 409 unless the session is open. ${forStaff}`,
        params: IdParams,
        body: SilentChecking,
        response: { 200: SilentChecking, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request) => {
        await service.checkSilently(callerOf(request), request.params.id, request.body.interval_minutes);
        return request.body;
      },
    });

    app.delete(checks, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'End the silent checks of an exam session',
        description: `What they have found is deleted. ${forStaff}`,
        params: IdParams,
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) =>
        await done(service.endSilentChecks(callerOf(request), request.params.id), 'Silent checks ended'),
    });

    app.post(`${path}/message`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Send a message to those who take the exam',
        description: `Their attempts have it in \`messages\`, and their terminals show it as a notice. With \`user_id\` to one student. ${forWhom}`,
        params: IdParams,
        body: NewMessage,
        response: { 201: MessageSchema, ...errors(401, 403, 404, 415) },
      },
      handler: async (request, reply) => {
        const { text, user_id } = request.body;
        return reply.code(201).send(await service.message(callerOf(request), request.params.id, text, user_id));
      },
    });

    app.post(`${path}/end`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'End an exam session, or the attempt of one student in it',
        description: `Attempts that run are graded as they are, and those in the queue leave it. Without \`user_id\` the session closes. 409 while the attempt of the user is being started. ${forWhom}`,
        params: IdParams,
        body: Ending,
        response: { 200: SessionSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request) => await service.end(callerOf(request), request.params.id, request.body.user_id),
    });
  };
