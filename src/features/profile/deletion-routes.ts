import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { type Caller, callerOf } from '../../http/access/access.ts';
import { PageQuery, readPage } from '../../http/lists/paging.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors, Nullable, NullableTimestamp, Timestamp } from '../../http/protocol/schemas.ts';
import type { DeletionRequestStore } from './deletion-store.ts';

export type DeletionRequestParts = {
  auth: { requireRecentLogin: (caller: Caller) => Promise<void> };
  requests: DeletionRequestStore;
};

const StateSchema = Type.Object(
  {
    requested_at: { ...NullableTimestamp, description: 'When the caller asked for it. Null: not at all.' },
  },
  { title: 'AccountDeletion' },
);
const RequestSchema = Type.Object(
  {
    user_id: Type.Integer(),
    username: Type.String(),
    full_name: Nullable(Type.String()),
    requested_at: { ...Timestamp, description: 'When the user asked for it.' },
  },
  { title: 'DeletionRequest' },
);

/** Users ask for the deletion of their account, which an administrator deletes as any other. */
export const deletionRequestRoutes =
  ({ auth, requests }: DeletionRequestParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['profile'];
    const path = '/api/profile/deletion';

    app.get(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "The caller's request to delete the account",
        response: { 200: StateSchema, ...errors(401) },
      },
      handler: async (request) => ({
        requested_at: await requests.requestedAt(callerOf(request).id),
      }),
    });

    app.post(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Ask for the deletion of the account',
        description:
          'Administrators see the request and delete the account. Until then nothing changes. 403 `login_not_recent`: the login is older than 15 minutes.',
        response: { 200: Done, ...errors(401, 403) },
      },
      handler: async (request) => {
        const caller = callerOf(request);
        await auth.requireRecentLogin(caller);
        return await done(requests.add(caller), 'Deletion requested');
      },
    });

    app.delete(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Withdraw the request to delete the account',
        description: 'Succeeds even if there is none.',
        response: { 200: Done, ...errors(401, 403) },
      },
      handler: async (request) => await done(requests.remove(callerOf(request).id), 'Request withdrawn'),
    });

    app.get('/api/admin/deletion-requests', {
      config: { access: 'admin' },
      schema: {
        tags: ['admin'],
        summary: 'Users who want their account to be deleted, the oldest request first',
        description: '`DELETE /api/admin/users/{id}` deletes one.',
        querystring: PageQuery,
        response: { 200: Type.Array(RequestSchema), ...errors(401, 403) },
      },
      handler: async (request, reply) => await readPage(request, reply, (page) => requests.list(page)),
    });
  };
