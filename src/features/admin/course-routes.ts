import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access.ts';
import { PageQuery, pageOf, setPageHeaders } from '../../http/paging.ts';
import { queryOrBody } from '../../http/query-or-body.ts';
import { errors, Id } from '../../http/schemas.ts';
import { CourseRowSchema } from '../lessons/catalogue-schema.ts';
import type { CatalogueService } from '../lessons/catalogue-service.ts';
import { Description, Done, Name, OrderIndex, Slug } from './schema.ts';

const tags = ['admin'];

const courseFields = {
  description: Description,
  icon: Type.String({ maxLength: 1000 }),
  order_index: OrderIndex,
  slug: Slug,
  is_active: Type.Boolean(),
};
const NewCourse = Type.Object({ name: Name, ...Type.Partial(Type.Object(courseFields)).properties });
const CourseChanges = Type.Partial(NewCourse);

/** Courses, as administrators work on them. Fields come in the query string or in a JSON body. */
export const adminCourseRoutes =
  (catalogue: CatalogueService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const path = '/api/admin/lessons/courses';
    const params = Type.Object({ course_id: Id });
    const readNew = queryOrBody(NewCourse);
    const readChanges = queryOrBody(CourseChanges);

    app.get(path, {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'All courses, inactive ones too',
        querystring: PageQuery,
        response: { 200: Type.Array(CourseRowSchema), ...errors(401, 403) },
      },
      handler: async (request, reply) => {
        const page = pageOf(request.query);
        const { rows, total } = await catalogue.courses.list(page);
        setPageHeaders(request, reply, page, total);
        return rows;
      },
    });

    app.get(`${path}/:course_id`, {
      config: { access: 'admin' },
      schema: { tags, summary: 'One course', params, response: { 200: CourseRowSchema, ...errors(401, 403, 404) } },
      handler: (request) => catalogue.courses.byId(request.params.course_id),
    });

    app.post(path, {
      config: { access: 'admin', fields: NewCourse },
      schema: {
        tags,
        summary: 'Create a course',
        description:
          'Without an `order_index` it comes last; without a `slug` one is made from the name. 409: the slug is taken.',
        response: { 201: CourseRowSchema, ...errors(401, 403, 409, 415) },
      },
      handler: async (request, reply) => {
        const fields = readNew(request);

        return reply.code(201).send(await catalogue.courses.create(callerOf(request).id, fields));
      },
    });

    app.put(`${path}/:course_id`, {
      config: { access: 'admin', fields: CourseChanges },
      schema: {
        tags,
        summary: 'Change a course',
        description: 'Fields that are left out stay. 409: the slug is taken.',
        params,
        response: { 200: CourseRowSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request) => {
        const fields = readChanges(request);

        return await catalogue.courses.update(callerOf(request).id, request.params.course_id, fields);
      },
    });

    app.delete(`${path}/:course_id`, {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Delete a course',
        description: 'Sections, themes and their progress go with it; exams stay, without a course.',
        params,
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) => {
        await catalogue.courses.delete(callerOf(request).id, request.params.course_id);
        return { detail: 'Course deleted' };
      },
    });
  };
