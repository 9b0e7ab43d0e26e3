import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { customerNetworkOf } from '../../http/limits/connections-per-address.ts';
import { PageQuery, readPage } from '../../http/lists/paging.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors, Id, IdParams } from '../../http/protocol/schemas.ts';
import type { JoinCodeStore } from './join-code-store.ts';
import type { JoinService } from './join-service.ts';
import { ClassSchema, JoinBody, JoinCodeSchema, NewJoinCodeBody } from './schema.ts';

/** The join codes of a class, and joining with one. */
export const joinCodeRoutes =
  (codes: JoinCodeStore, joins: JoinService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['classes'];
    const path = '/api/classes/:id/join-codes';

    app.get(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'The join codes of a class, the newest first',
        description: 'Includes expired and used up codes. For instructors of the class and administrators.',
        params: IdParams,
        querystring: PageQuery,
        response: { 200: Type.Array(JoinCodeSchema), ...errors(401, 403, 404) },
      },
      handler: async (request, reply) =>
        await readPage(request, reply, (page) => codes.list(callerOf(request), request.params.id, page)),
    });

    app.post(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Create a join code',
        description:
          'Without `expires_at` it does not expire. Without `max_uses` it can be used any number of times. For instructors of the class and administrators.',
        params: IdParams,
        body: NewJoinCodeBody,
        response: { 201: JoinCodeSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request, reply) => {
        const { expires_at, ...fields } = request.body;
        const expiry = expires_at ? { expires_at: new Date(expires_at) } : {};
        const code = await joins.createCode(callerOf(request), request.params.id, { ...fields, ...expiry });
        return reply.code(201).send(code);
      },
    });

    app.delete(`${path}/:code_id`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Withdraw a join code',
        description: 'Those who joined with it stay members. For instructors of the class and administrators.',
        params: Type.Object({ id: Id, code_id: Id }),
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) => {
        const { id, code_id } = request.params;
        return await done(codes.delete(callerOf(request), id, code_id), 'Join code withdrawn');
      },
    });

    app.post('/api/classes/join', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Join a class with a code',
        description:
          'Answers with the class, also if the caller is a member already. A code that is wrong, withdrawn, expired, used up or for another domain is 404 `unknown_code`. Too many wrong codes are 429.',
        body: JoinBody,
        response: { 200: ClassSchema, ...errors(401, 404, 415, 429) },
      },
      // A client can have many addresses. Wrong codes count for its network.
      handler: async (request) =>
        await joins.join(callerOf(request), request.body.code, customerNetworkOf(request.clientAddress)),
    });
  };
