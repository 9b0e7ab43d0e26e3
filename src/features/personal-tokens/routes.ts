import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import { CreatedTokenSchema, NewPersonalToken, PersonalTokenSchema } from './schema.ts';
import type { PersonalTokenService } from './service.ts';

// Of these, because no personal token permits them.
const tags = ['auth'];

export const personalTokenRoutes =
  (tokens: PersonalTokenService): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/auth/tokens', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "The caller's personal tokens",
        description: 'Newest first, those that have ended included. The tokens themselves are not kept.',
        response: { 200: Type.Array(PersonalTokenSchema), ...errors(401, 403) },
      },
      handler: (request) => tokens.list(callerOf(request)),
    });

    app.post('/api/auth/tokens', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Create a personal token for a program',
        description:
          'A bearer token as that of a login, which is valid to its end, also after a logout. 403 `scope`: a request beyond its scopes. It neither makes ' +
          'tokens nor changes the login or the password. 409: 50 tokens exist.',
        body: NewPersonalToken,
        response: { 201: CreatedTokenSchema, ...errors(401, 403, 409, 415) },
      },
      handler: async (request, reply) =>
        await reply.code(201).send(await tokens.create(callerOf(request), request.body)),
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
      handler: async (request) => await done(tokens.delete(callerOf(request), request.params.id), 'Token deleted'),
    });
  };
