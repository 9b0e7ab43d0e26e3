import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { callerOf } from '../../http/access/access.ts';
import { queryOrBody } from '../../http/protocol/query-or-body.ts';
import { errors } from '../../http/protocol/schemas.ts';
import { ImportFields, OutlineSchema, PreviewFields } from './schema.ts';
import type { CourseImportService } from './service.ts';

const about =
  'The courses, sections and themes come from `mkdocs.yml`, `_toc.yml`, `SUMMARY.md`, `sidebars.json`, front matter or the folders of the ' +
  'repository. Nothing in it is executed. 404: there is no repository with the id. 422: the address or the branch cannot be used. 503: the repository cannot be reached or read; ' +
  'the header `Error-Reason` has the code of the reason, which is listed at /api/docs/errors.';

/** Administrators import courses from repositories of Markdown lessons. */
export const courseImportRoutes =
  (outlines: CourseImportService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['admin'];
    const readPreview = queryOrBody(PreviewFields);
    const readImport = queryOrBody(ImportFields);

    app.post('/api/admin/lessons/import-preview', {
      config: { access: 'admin', fields: PreviewFields },
      schema: {
        tags,
        summary: 'The courses that an import of a repository would create or change',
        description: `${about} Nothing is written.`,
        response: { 200: OutlineSchema, ...errors(401, 403, 404, 415, 503) },
      },
      handler: async (request) => await outlines.preview(readPreview(request)),
    });

    app.post('/api/admin/lessons/import', {
      config: { access: 'admin', fields: ImportFields },
      schema: {
        tags,
        summary: 'Import the courses of a repository, or bring them up to date',
        description:
          `${about} New courses are hidden from students. Rows of an earlier import keep their ids, and fields that administrators have ` +
          'changed keep their values. The lessons of the courses are read from this repository. 409: the catalogue is full.',
        response: { 200: OutlineSchema, ...errors(401, 403, 404, 409, 415, 503) },
      },
      handler: async (request) => await outlines.import(callerOf(request).id, readImport(request)),
    });
  };
