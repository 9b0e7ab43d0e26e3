import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { type Caller, callerOf } from '../../http/access/access.ts';
import { PageQuery, readPage } from '../../http/lists/paging.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors, Id, IdParams, Nullable, OneOf, Timestamp } from '../../http/protocol/schemas.ts';
import { CreatedTokenSchema, NewPersonalToken, PersonalTokenSchema } from './schema.ts';
import type { PersonalTokenService } from './service.ts';
import type { ServiceAccountStore } from './service-account-store.ts';

export type ServiceAccountParts = {
  auth: { requireRecentLogin: (caller: Caller) => Promise<void> };
  accounts: ServiceAccountStore;
  tokens: PersonalTokenService;
};

const fields = {
  name: Type.String({ minLength: 1, maxLength: 100, description: 'The program, such as "Timetable".' }),
  role: { ...OneOf('instructor', 'admin'), description: 'What the account may do at most, as a user of this role.' },
};
const AccountSchema = Type.Object(
  {
    ...{ id: Id, ...fields, created_at: Timestamp },
    tokens: Type.Integer({ description: 'How many tokens are valid.' }),
    last_used_at: Nullable(Timestamp),
  },
  { title: 'ServiceAccount' },
);
const NewAccount = Type.Object(fields, { title: 'NewServiceAccount' });
const TokenParams = Type.Object({ id: Id, token_id: Id });

/** Accounts of the school's programs, for administrators who have just logged in. */
export const serviceAccountRoutes =
  ({ auth, accounts, tokens }: ServiceAccountParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const path = '/api/admin/service-accounts';
    const config = { access: 'admin' } as const;
    // Of these, because no token permits them.
    const tags = ['auth'];
    const recent = async (caller: Caller): Promise<number> => {
      await auth.requireRecentLogin(caller);
      return caller.id;
    };

    app.get(path, {
      config,
      schema: {
        ...{ tags, summary: 'Accounts of programs', querystring: PageQuery },
        response: { 200: Type.Array(AccountSchema), ...errors(401, 403) },
      },
      handler: async (request, reply) => await readPage(request, reply, (page) => accounts.list(page)),
    });

    app.post(path, {
      config,
      schema: {
        ...{ tags, summary: 'Create an account for a program', body: NewAccount },
        description:
          'It has no password and cannot log in: programs use its tokens. It is no person: in no list of users, class or exam session. 403 `login_not_recent`: the login is older than 15 minutes.',
        response: { 201: AccountSchema, ...errors(401, 403, 415) },
      },
      handler: async (request, reply) =>
        await reply.code(201).send(await accounts.create(await recent(callerOf(request)), request.body)),
    });

    app.delete(`${path}/:id`, {
      config,
      schema: {
        ...{ tags, summary: 'End an account of a program', params: IdParams },
        description: 'Its tokens are deleted. What it has made stays, and the log keeps its name.',
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) =>
        await done(accounts.deactivate(callerOf(request).id, request.params.id), 'Service account ended'),
    });

    app.get(`${path}/:id/tokens`, {
      config,
      schema: {
        ...{ tags, summary: 'The tokens of a program', params: IdParams },
        description: 'Newest first, those that have ended included. The tokens themselves are not kept.',
        response: { 200: Type.Array(PersonalTokenSchema), ...errors(401, 403, 404) },
      },
      handler: async (request) => await tokens.list(await accounts.userId(request.params.id)),
    });

    app.post(`${path}/:id/tokens`, {
      config,
      schema: {
        ...{ tags, summary: 'Create a token for a program', params: IdParams, body: NewPersonalToken },
        description:
          'As a personal token, but of the account: it is valid to its end, whoever created it. 403 `login_not_recent`: the login is older than 15 minutes. 409: 50 tokens exist.',
        response: { 201: CreatedTokenSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request, reply) => {
        const actorId = await recent(callerOf(request));
        const ownerId = await accounts.userId(request.params.id);
        return await reply.code(201).send(await tokens.create({ ownerId, actorId }, request.body));
      },
    });

    app.delete(`${path}/:id/tokens/:token_id`, {
      config,
      schema: {
        ...{ tags, summary: 'Delete a token of a program', params: TokenParams },
        description: 'It is refused from then on.',
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) => {
        const { id, token_id } = request.params;
        const hands = { ownerId: await accounts.userId(id), actorId: callerOf(request).id };
        return await done(tokens.delete(hands, token_id), 'Token deleted');
      },
    });
  };
