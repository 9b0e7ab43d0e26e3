import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type Caller, callerOf } from '../../http/access/access.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import { CreatedTokenSchema, NewPersonalToken, PersonalTokenSchema } from './schema.ts';
import type { PersonalTokenService } from './service.ts';
import type { TokenHands } from './store.ts';

// Of these, because no personal token permits them.
const tags = ['auth'];

const ownHands = (request: FastifyRequest): TokenHands => {
  const { id } = callerOf(request);
  return { ownerId: id, actorId: id };
};

export const personalTokenRoutes =
  (
    tokens: PersonalTokenService,
    auth: { requireRecentLogin: (caller: Caller) => Promise<void> },
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/auth/tokens', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "The caller's personal tokens",
        description: 'Newest first, those that have ended included. The tokens themselves are not kept.',
        response: { 200: Type.Array(PersonalTokenSchema), ...errors(401, 403) },
      },
      handler: (request) => tokens.list(callerOf(request).id),
    });

    app.post('/api/auth/tokens', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Create a personal token for a program',
        description:
          'A bearer token as that of a login, which is valid to its end, also after a logout. 403 `scope`: a request beyond its scopes. It neither makes ' +
          'tokens nor changes the login or the password. 403 `login_not_recent`: the login is older than 15 minutes. 409: 50 tokens exist.',
        body: NewPersonalToken,
        response: { 201: CreatedTokenSchema, ...errors(401, 403, 409, 415) },
      },
      handler: async (request, reply) => {
        await auth.requireRecentLogin(callerOf(request));
        return await reply.code(201).send(await tokens.create(ownHands(request), request.body));
      },
    });

    app.delete('/api/auth/tokens/:id', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Delete a personal token',
        description: 'It is refused from then on.',
        params: IdParams,
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) => await done(tokens.delete(ownHands(request), request.params.id), 'Token deleted'),
    });
  };
