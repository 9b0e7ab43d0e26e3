import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Invalid } from '../../errors.ts';
import { callerOf } from '../../http/access.ts';
import { PageQuery, pageOf, setPageHeaders } from '../../http/paging.ts';
import { queryOrBody } from '../../http/query-or-body.ts';
import { errors, Id } from '../../http/schemas.ts';
import { ThemeRowSchema } from '../lessons/catalogue-schema.ts';
import { type CatalogueService, lessonPathProblem } from '../lessons/catalogue-service.ts';
import { Done, Name, OrderIndex, Slug } from './schema.ts';

const tags = ['admin'];

const MarkdownPath = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'Relative to the root of the lessons repository; no `..`, no leading slash, no backslash.',
});
const themeFields = {
  order_index: OrderIndex,
  slug: Slug,
  duration_minutes: Type.Integer({ minimum: 0, maximum: 10_000 }),
};
const NewTheme = Type.Object({
  title: Name,
  section_id: Id,
  markdown_file_path: MarkdownPath,
  ...Type.Partial(Type.Object(themeFields)).properties,
});
const ThemeChanges = Type.Partial(NewTheme);

/** No schema says this one, and its error is to be a value's. @throws Invalid */
function checkPath(request: FastifyRequest, path: string | undefined): void {
  const problem = path === undefined ? undefined : lessonPathProblem(path);
  if (problem === undefined) return;
  const isInBody = Object.hasOwn((request.body ?? {}) as object, 'markdown_file_path');
  const loc = [isInBody ? 'body' : 'query', 'markdown_file_path'];
  throw new Invalid([{ loc, msg: `Value error, ${problem}`, type: 'value_error' }]);
}

/** Themes, as administrators work on them. Fields come in the query string or in a JSON body. */
export const adminThemeRoutes =
  (catalogue: CatalogueService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const path = '/api/admin/lessons/themes';
    const params = Type.Object({ theme_id: Id });
    const readNew = queryOrBody(NewTheme);
    const readChanges = queryOrBody(ThemeChanges);

    app.get(path, {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'All themes, or those of one section, inactive ones too',
        querystring: Type.Object({ ...PageQuery.properties, section_id: Type.Optional(Id) }),
        response: { 200: Type.Array(ThemeRowSchema), ...errors(401, 403, 404) },
      },
      handler: async (request, reply) => {
        const page = pageOf(request.query);
        const { rows, total } = await catalogue.themes.list(page, request.query.section_id);
        setPageHeaders(request, reply, page, total);
        return rows;
      },
    });

    app.get(`${path}/:theme_id`, {
      config: { access: 'admin' },
      schema: { tags, summary: 'One theme', params, response: { 200: ThemeRowSchema, ...errors(401, 403, 404) } },
      handler: (request) => catalogue.themes.byId(request.params.theme_id),
    });

    app.post(path, {
      config: { access: 'admin', fields: NewTheme },
      schema: {
        tags,
        summary: 'Create a theme',
        description:
          'Without an `order_index` it comes last; without a `slug` one is made from the title. 409: the slug is taken.',
        response: { 201: ThemeRowSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request, reply) => {
        const fields = readNew(request);
        checkPath(request, fields.markdown_file_path);
        return reply.code(201).send(await catalogue.themes.create(callerOf(request).id, fields));
      },
    });

    app.put(`${path}/:theme_id`, {
      config: { access: 'admin', fields: ThemeChanges },
      schema: {
        tags,
        summary: 'Change a theme',
        description: 'Fields that are left out stay. Another `section_id` moves it. 409: the slug is taken.',
        params,
        response: { 200: ThemeRowSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request) => {
        const fields = readChanges(request);
        checkPath(request, fields.markdown_file_path);
        return await catalogue.themes.update(callerOf(request).id, request.params.theme_id, fields);
      },
    });

    app.delete(`${path}/:theme_id`, {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Delete a theme',
        description: 'The progress of everybody in it goes with it; the Markdown file stays.',
        params,
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) => {
        await catalogue.themes.delete(callerOf(request).id, request.params.theme_id);
        return { detail: 'Theme deleted' };
      },
    });
  };
