import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { PageQuery, pageOf, setPageHeaders } from '../../http/lists/paging.ts';
import { SerializedLists, sendTagged, toAnswer } from '../../http/protocol/entity-tag.ts';
import { errors } from '../../http/protocol/schemas.ts';
import { coursesOfPage, type OpenCatalogue, type OpenCourse } from './open-catalogue.ts';
import { OpenCourseSchema } from './schema.ts';

/** The page size of the front page. Answers of other sizes are not kept. */
const keptSize = 25;

export const openCatalogueRoutes =
  (catalogue: OpenCatalogue): FastifyPluginAsyncTypebox =>
  async (app) => {
    const kept = new SerializedLists<OpenCourse>();

    app.get('/api/catalogue', {
      config: { access: 'public', hasEntityTag: true },
      schema: {
        tags: ['dashboard'],
        summary: 'The courses of the front page, for visitors without an account',
        description:
          '404 unless `CATALOGUE_IS_OPEN` is set. Active courses with their active sections and the titles of their themes, without texts. ' +
          'Courses for classes only are left out. The answer is the same for everybody.',
        querystring: PageQuery,
        response: { 200: Type.Array(OpenCourseSchema), ...errors(404) },
      },
      handler: async (request, reply) => {
        const courses = await catalogue.courses();
        const page = pageOf(request.query);
        setPageHeaders(request, reply, page, courses.length);
        const shown = coursesOfPage(courses, page);
        const serialize = (): string =>
          reply.serializeInput(shown as unknown as Record<string, unknown>, '200') as string;
        const isKept = page.limit === keptSize && shown.length > 0;
        const answer = isKept ? kept.of(courses, String(page.offset), serialize) : toAnswer(serialize());
        return await sendTagged(request, reply, answer);
      },
    });
  };
