import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import type { HandStore } from './hand-store.ts';
import { Closing, HandQuery, HandSchema, NewHandBody, OwnHandSchema } from './schema.ts';
import type { HelpService } from './service.ts';

/** Students raise a hand, and the staff see to it. */
export const handRoutes =
  (hands: HandStore, help: HelpService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['help'];
    const forWhom =
      'For the staff of those classes of the student that have the course, owners and editors of the course, and those who see all students; in an exam session for its supervisors.';

    app.get('/api/hands', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "The caller's hand, and whether one may be raised at a container of the caller",
        description: 'A user has one hand. It goes when its attempt ends, or its sandbox stops.',
        querystring: HandQuery,
        response: { 200: OwnHandSchema, ...errors(401, 404) },
      },
      handler: async (request) => await hands.own(callerOf(request), request.query.container_id),
    });

    app.post('/api/hands', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Raise a hand',
        description:
          'Raised again at the same place, it keeps its turn and gets the new text. 409 while it is raised elsewhere, and when the attempt has ended. In an exam 403 unless its session has `has_hands`.',
        body: NewHandBody,
        response: { 201: HandSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request, reply) => {
        const { text = '', ...place } = request.body;
        return reply.code(201).send(await help.raise(callerOf(request), { ...place, text }));
      },
    });

    app.post('/api/hands/:id/close', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Take a hand down, or answer it',
        description: `By its student, then it is deleted. By the staff: with \`text\` its student has an answer; in an exam session that is a message of its room, with the rights of these. ${forWhom}`,
        params: IdParams,
        body: Closing,
        response: { 200: Done, ...errors(401, 403, 404, 415) },
      },
      handler: async (request) =>
        await done(help.close(callerOf(request), request.params.id, request.body?.text), 'Hand taken down'),
    });

    app.get('/api/instructor/hands', {
      config: { access: 'instructor' },
      schema: {
        tags,
        summary: 'The raised hands by class, in each oldest first',
        description: `At most 200. ${forWhom}`,
        response: { 200: Type.Array(HandSchema), ...errors(401, 403) },
      },
      handler: async (request) => await hands.raised(callerOf(request)),
    });

    app.post('/api/instructor/hands/:id/take', {
      config: { access: 'instructor' },
      schema: {
        tags,
        summary: 'See to a raised hand',
        description: `Its student and the others see who does. 409 \`hand_taken\` if somebody else does already. ${forWhom}`,
        params: IdParams,
        response: { 200: HandSchema, ...errors(401, 403, 404, 409) },
      },
      handler: async (request) => await hands.take(callerOf(request), request.params.id),
    });
  };
