import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access.ts';
import { PageQuery, pageOf, setPageHeaders } from '../../http/paging.ts';
import { queryOrBody } from '../../http/query-or-body.ts';
import { errors, Id } from '../../http/schemas.ts';
import { SectionRowSchema } from '../lessons/catalogue-schema.ts';
import type { CatalogueService } from '../lessons/catalogue-service.ts';
import { Done, Name, OrderIndex, Slug } from './schema.ts';

const tags = ['admin'];

const sectionFields = { order_index: OrderIndex, slug: Slug, is_active: Type.Boolean() };
const NewSection = Type.Object({ name: Name, course_id: Id, ...Type.Partial(Type.Object(sectionFields)).properties });
const SectionChanges = Type.Partial(NewSection);

/** Sections, as administrators work on them. Fields come in the query string or in a JSON body. */
export const adminSectionRoutes =
  (catalogue: CatalogueService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const path = '/api/admin/lessons/sections';
    const params = Type.Object({ section_id: Id });
    const readNew = queryOrBody(NewSection);
    const readChanges = queryOrBody(SectionChanges);

    app.get(path, {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'All sections, or those of one course, inactive ones too',
        querystring: Type.Object({ ...PageQuery.properties, course_id: Type.Optional(Id) }),
        response: { 200: Type.Array(SectionRowSchema), ...errors(401, 403, 404) },
      },
      handler: async (request, reply) => {
        const page = pageOf(request.query);
        const { rows, total } = await catalogue.sections.list(page, request.query.course_id);
        setPageHeaders(request, reply, page, total);
        return rows;
      },
    });

    app.get(`${path}/:section_id`, {
      config: { access: 'admin' },
      schema: { tags, summary: 'One section', params, response: { 200: SectionRowSchema, ...errors(401, 403, 404) } },
      handler: (request) => catalogue.sections.byId(request.params.section_id),
    });

    app.post(path, {
      config: { access: 'admin', fields: NewSection },
      schema: {
        tags,
        summary: 'Create a section',
        description:
          'Without an `order_index` it comes last; without a `slug` one is made from the name. 409: the slug is taken.',
        response: { 201: SectionRowSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request, reply) => {
        const fields = readNew(request);

        return reply.code(201).send(await catalogue.sections.create(callerOf(request).id, fields));
      },
    });

    app.put(`${path}/:section_id`, {
      config: { access: 'admin', fields: SectionChanges },
      schema: {
        tags,
        summary: 'Change a section',
        description: 'Fields that are left out stay. Another `course_id` moves it. 409: the slug is taken.',
        params,
        response: { 200: SectionRowSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request) => {
        const fields = readChanges(request);

        return await catalogue.sections.update(callerOf(request).id, request.params.section_id, fields);
      },
    });

    app.delete(`${path}/:section_id`, {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Delete a section',
        description: 'Themes and their progress go with it; its laboratory stays, without a section.',
        params,
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) => {
        await catalogue.sections.delete(callerOf(request).id, request.params.section_id);
        return { detail: 'Section deleted' };
      },
    });
  };
