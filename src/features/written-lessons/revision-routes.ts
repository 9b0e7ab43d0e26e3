import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { PageQuery, pageOf, readPage, setPageHeaders } from '../../http/lists/paging.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import type { LessonFiles } from './lesson-files.ts';
import {
  FilesQuery,
  LessonFileSchema,
  RevisionParams,
  RevisionSchema,
  RevisionTextSchema,
  WrittenTextSchema,
} from './schema.ts';
import type { WrittenService } from './service.ts';

const path = '/api/admin/written-lessons/:id/revisions';
const config = { access: 'admin' } as const;
const tags = ['admin'];

/** The revisions of the files that are written in the pages, and the files that a lesson can have. */
export const writtenRevisionRoutes =
  (written: WrittenService, files: LessonFiles): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(path, {
      config,
      schema: {
        tags,
        summary: 'The revisions of a file of lessons, newest first',
        params: IdParams,
        querystring: PageQuery,
        response: { 200: Type.Array(RevisionSchema), ...errors(401, 403, 404) },
      },
      handler: async (request, reply) =>
        await readPage(request, reply, (page) => written.revisions(request.params.id, page)),
    });

    app.get(`${path}/:revision`, {
      config,
      schema: {
        tags,
        summary: 'A revision of a file of lessons with its text',
        params: RevisionParams,
        response: { 200: RevisionTextSchema, ...errors(401, 403, 404) },
      },
      handler: (request) => written.revision(request.params.id, request.params.revision),
    });

    app.post(`${path}/:revision/restore`, {
      config,
      schema: {
        tags,
        summary: 'Make the content of a revision the newest one',
        description:
          'It becomes another revision, so the ones between are kept. A deleted file exists again, at its last path. 409: `conflict` for a revision with which the file was deleted, `path_conflict` where another file is at the path now.',
        params: RevisionParams,
        response: { 200: WrittenTextSchema, ...errors(401, 403, 404, 409) },
      },
      handler: (request) => written.restore(callerOf(request), request.params.id, request.params.revision),
    });

    app.get('/api/admin/lessons/files', {
      config,
      schema: {
        tags,
        summary: 'The Markdown files that a lesson can have, with the lessons that have them',
        description:
          'Of the repository of a course, which is named by its own id or by that of one of its sections, or of those written in the pages (`is_written`). Without any of them, of the default repository. At most 10,000 files of a repository are looked at.',
        querystring: FilesQuery,
        response: { 200: Type.Array(LessonFileSchema), ...errors(401, 403, 404, 503) },
      },
      handler: async (request, reply) => {
        const page = pageOf(request.query);
        const all = await files.list(callerOf(request), request.query);
        setPageHeaders(request, reply, page, all.length);
        return all.slice(page.offset, page.offset + page.limit);
      },
    });
  };
