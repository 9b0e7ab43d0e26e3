import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { PageQuery, pageOf, setPageHeaders } from '../../http/lists/paging.ts';
import { orderOf, sortQuery } from '../../http/lists/sorting.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors, Id, IdParams } from '../../http/protocol/schemas.ts';
import type { ContainerAdminService } from '../containers/container-admin-service.ts';
import { ContainerFields } from '../containers/schema.ts';

const OwnedSchema = Type.Object({ ...ContainerFields, username: Type.String() }, { title: 'OwnedContainer' });
const { kind, status } = OwnedSchema.properties;
const ListQuery = Type.Object({
  user_id: Type.Optional(Id),
  kind: Type.Optional(kind),
  status: Type.Optional(status),
  ...sortQuery('created_at', 'name', 'username', 'status', 'expires_at'),
  ...PageQuery.properties,
});

export const adminContainerRoutes =
  (containers: ContainerAdminService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['admin'];

    app.get('/api/admin/containers', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Containers of all users, newest first or by `sort`',
        querystring: ListQuery,
        response: { 200: Type.Array(OwnedSchema), ...errors(401, 403, 404) },
      },
      handler: async (request, reply) => {
        const { page: _page, page_size: _size, sort: _sort, order: _order, ...filter } = request.query;
        const page = pageOf(request.query);
        const order = orderOf(request.query, { by: 'created_at', isDescending: true });
        const { rows, total } = await containers.list(filter, page, order);
        setPageHeaders(request, reply, page, total);
        return rows as Static<typeof OwnedSchema>[];
      },
    });

    app.get('/api/admin/containers/:id', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'A container of any user',
        params: IdParams,
        response: { 200: OwnedSchema, ...errors(401, 403, 404) },
      },
      handler: async (request) => (await containers.get(request.params.id)) as Static<typeof OwnedSchema>,
    });

    app.delete('/api/admin/containers/:id', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Delete a sandbox of any user, with its content',
        description: '409 for the container of an attempt.',
        params: IdParams,
        response: { 200: Done, ...errors(401, 403, 404, 409) },
      },
      handler: async (request) =>
        await done(containers.delete(callerOf(request), request.params.id), 'Container deleted'),
    });
  };
