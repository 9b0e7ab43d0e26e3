import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access.ts';
import { PageQuery, pageOf, setPageHeaders } from '../../http/paging.ts';
import { queryOrBody } from '../../http/query-or-body.ts';
import { errors, IdParams } from '../../http/schemas.ts';
import { MinimumRole, TemplateSchema } from '../containers/schema.ts';
import type { TemplateAdminService } from '../containers/template-admin-service.ts';
import { Description, Done, Image, Name, OrderIndex, Slug } from './schema.ts';

const NewTemplate = Type.Object({
  name: Name,
  image: Image,
  memory_mb: Type.Integer({ minimum: 16, maximum: 65_536 }),
  cpus: Type.Number({ exclusiveMinimum: 0, maximum: 64 }),
  ...Type.Partial(
    Type.Object({
      description: Description,
      has_internet: Type.Boolean(),
      minimum_role: MinimumRole,
      order_index: OrderIndex,
      slug: Slug,
      is_active: Type.Boolean(),
    }),
  ).properties,
});
const TemplateChanges = Type.Partial(NewTemplate);

/** Sandbox templates, as administrators work on them. Fields come in the query string or in a JSON body. */
export const adminTemplateRoutes =
  ({ templates }: TemplateAdminService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['admin'];
    const path = '/api/admin/sandbox-templates';
    const readNew = queryOrBody(NewTemplate);
    const readChanges = queryOrBody(TemplateChanges);

    app.get(path, {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'All sandbox templates, inactive ones too',
        querystring: PageQuery,
        response: { 200: Type.Array(TemplateSchema), ...errors(401, 403) },
      },
      handler: async (request, reply) => {
        const page = pageOf(request.query);
        const { rows, total } = await templates.list(page);
        setPageHeaders(request, reply, page, total);
        return rows;
      },
    });

    app.get(`${path}/:id`, {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'One sandbox template',
        params: IdParams,
        response: { 200: TemplateSchema, ...errors(401, 403, 404) },
      },
      handler: (request) => templates.byId(request.params.id),
    });

    app.post(path, {
      config: { access: 'admin', fields: NewTemplate },
      schema: {
        tags,
        summary: 'Create a sandbox template',
        description:
          'Without an `order_index` it comes last; without a `slug` one is made from the name. 409: the slug is taken.',
        response: { 201: TemplateSchema, ...errors(401, 403, 409, 415) },
      },
      handler: async (request, reply) =>
        reply.code(201).send(await templates.create(callerOf(request).id, readNew(request))),
    });

    app.put(`${path}/:id`, {
      config: { access: 'admin', fields: TemplateChanges },
      schema: {
        tags,
        summary: 'Change a sandbox template',
        description:
          'Fields that are left out stay. Sandboxes that exist keep what they were made with, also those of users below a new `minimum_role`.',
        params: IdParams,
        response: { 200: TemplateSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: (request) => templates.update(callerOf(request).id, request.params.id, readChanges(request)),
    });

    app.delete(`${path}/:id`, {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Delete a sandbox template',
        description: 'Sandboxes that were made from it stay.',
        params: IdParams,
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) => {
        await templates.delete(callerOf(request).id, request.params.id);
        return { detail: 'Sandbox template deleted' };
      },
    });
  };
