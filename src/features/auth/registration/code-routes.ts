import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { found } from '../../../errors.ts';
import { callerOf } from '../../../http/access/access.ts';
import { PageQuery, readPage } from '../../../http/lists/paging.ts';
import { orderOf, sortQuery } from '../../../http/lists/sorting.ts';
import { Done } from '../../../http/protocol/fields.ts';
import { queryOrBody } from '../../../http/protocol/query-or-body.ts';
import { errors, IdParams, Nullable } from '../../../http/protocol/schemas.ts';
import { RegistrationCodeSchema } from '../schema.ts';
import type { RegistrationCodeStore } from './code-store.ts';

const NewRegistrationCode = Type.Partial(
  Type.Object({
    note: Nullable(Type.String({ maxLength: 200 })),
    expires_at: Nullable(Type.String({ format: 'date-time' })),
    max_uses: Nullable(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
  }),
  { title: 'NewRegistrationCode' },
);

const ListQuery = Type.Object({
  ...sortQuery('created_at', 'code', 'uses', 'expires_at'),
  ...PageQuery.properties,
});

/** Registration codes, for administrators. */
export const adminRegistrationCodeRoutes =
  (codes: RegistrationCodeStore): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['admin'];
    const path = '/api/admin/registration-codes';
    const readNew = queryOrBody(NewRegistrationCode);

    app.get(path, {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'All registration codes, newest first or by `sort`',
        description:
          'Includes expired and used up codes. Codes that do not expire are after all others by `expires_at`.',
        querystring: ListQuery,
        response: { 200: Type.Array(RegistrationCodeSchema), ...errors(401, 403) },
      },
      handler: async (request, reply) => {
        const order = orderOf(request.query, { by: 'created_at', isDescending: true });
        return await readPage(request, reply, (page) => codes.list(page, order));
      },
    });

    app.post(path, {
      config: { access: 'admin', fields: NewRegistrationCode },
      schema: {
        tags,
        summary: 'Create a registration code',
        description:
          'Required for registration if `REGISTRATION` is `code`. Without `expires_at` it does not expire. Without `max_uses` it can be used any number of times.',
        response: { 201: RegistrationCodeSchema, ...errors(401, 403, 409, 415) },
      },
      handler: async (request, reply) => {
        const { expires_at, ...fields } = readNew(request);
        const expiry = expires_at ? { expires_at: new Date(expires_at) } : {};
        return reply.code(201).send(await codes.create(callerOf(request).id, { ...fields, ...expiry }));
      },
    });

    app.delete(`${path}/:id`, {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Withdraw a registration code',
        description: 'Users who registered with the code are kept.',
        params: IdParams,
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) => {
        found(await codes.delete(callerOf(request).id, request.params.id), 'Registration code');
        return { detail: 'Registration code withdrawn' };
      },
    });
  };
