import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { PageQuery, pageOf, readPage, setPageHeaders } from '../../http/lists/paging.ts';
import { fileAnswers, sendFile } from '../../http/pages/served-file.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { BinaryBody, binaryType, bytesOf, readsBytes } from '../../http/protocol/media-types.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import { servedTypes } from '../../values/media-types.ts';
import { ThemeParams } from '../lessons/schema.ts';
import type { LessonFiles } from './lesson-files.ts';
import {
  ContentQuery,
  FilesQuery,
  LessonFileSchema,
  maxTextBody,
  NewWrittenFile,
  PictureQuery,
  RevisionParams,
  RevisionSchema,
  RevisionTextSchema,
  WrittenFileChange,
  WrittenFileSchema,
  WrittenQuery,
  WrittenTextSchema,
} from './schema.ts';
import type { WrittenService } from './service.ts';

const path = '/api/admin/written-lessons';
const config = { access: 'admin' } as const;
const tags = ['admin'];
const limits =
  '409: `path_conflict` where there is another file, `files_full` beyond 2,000 files or 256 MiB with all revisions. 413: more than 8 MiB.';

/** The files of lessons that administrators write in the pages. Texts are read from the body only. */
export const writtenRoutes =
  (written: WrittenService): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(path, {
      config,
      schema: {
        tags,
        summary: 'The files of lessons that are written in the pages, by path',
        querystring: WrittenQuery,
        response: { 200: Type.Array(WrittenFileSchema), ...errors(401, 403) },
      },
      handler: async (request, reply) => {
        const { q, is_deleted = false } = request.query;
        return await readPage(request, reply, (page) => written.files(callerOf(request), { q, is_deleted }, page));
      },
    });

    app.post(path, {
      config,
      bodyLimit: maxTextBody,
      schema: {
        tags,
        summary: 'Write a new file for a lesson',
        description: limits,
        body: NewWrittenFile,
        response: { 201: WrittenTextSchema, ...errors(400, 401, 403, 409, 413, 415) },
      },
      handler: async (request, reply) => reply.code(201).send(await written.create(callerOf(request), request.body)),
    });

    app.get(`${path}/:id`, {
      config,
      schema: {
        tags,
        summary: 'A file of lessons with its text',
        params: IdParams,
        response: { 200: WrittenTextSchema, ...errors(401, 403, 404) },
      },
      handler: (request) => written.file(callerOf(request), request.params.id),
    });

    app.put(`${path}/:id`, {
      config,
      bodyLimit: maxTextBody,
      schema: {
        tags,
        summary: 'Change the text or the path of a file of lessons',
        description: `Omitted fields are unchanged. Lessons that have the file move with it. 409 \`changed_meanwhile\`: there is a newer revision than \`revision\`; nothing is written. ${limits}`,
        params: IdParams,
        body: WrittenFileChange,
        response: { 200: WrittenTextSchema, ...errors(400, 401, 403, 404, 409, 413, 415) },
      },
      handler: (request) => written.change(callerOf(request), request.params.id, request.body),
    });

    app.delete(`${path}/:id`, {
      config,
      schema: {
        tags,
        summary: 'Delete a file of lessons',
        description: 'Its revisions are kept, and can be restored. 409 `lesson_file_in_use`: a lesson has the file.',
        params: IdParams,
        response: { 200: Done, ...errors(401, 403, 404, 409) },
      },
      handler: async (request) =>
        await done(written.delete(callerOf(request), request.params.id), 'Lesson file deleted'),
    });

    app.get(`${path}/content`, {
      config,
      schema: {
        tags,
        summary: 'A picture, PDF or plain text among the files of lessons that are written in the pages',
        querystring: ContentQuery,
        response: {
          ...fileAnswers(servedTypes),
          ...errors(401, 403, 404),
        },
      },
      handler: async (request, reply) => {
        return await sendFile(request, reply, await written.content(request.query.path));
      },
    });

    app.get(`${path}/bundle`, {
      config,
      schema: {
        tags,
        summary: 'All files with their history, as a Git bundle',
        description:
          '`git clone lessons.bundle` makes a repository of it: one commit for each revision, with the name of its author and no address. 404: there are no files yet.',
        response: {
          200: { description: 'The bundle.', content: { [binaryType]: { schema: Type.String({ format: 'binary' }) } } },
          ...errors(401, 403, 404, 503),
        },
      },
      handler: async (_request, reply) => {
        const bundle = await written.bundle();
        reply.header('Content-Disposition', 'attachment; filename="lessons.bundle"').type(binaryType);
        // The types declare the answer as text, but it is streamed.
        return reply.send(Readable.from(bundle, { objectMode: false }) as unknown as string);
      },
    });

    app.post('/api/admin/lessons/themes/:theme_id/write', {
      config,
      schema: {
        tags,
        summary: 'Write the text of a theme in the pages from now on',
        description:
          'Its present text, and the files that this refers to, are copied from the repository of its course. Later changes there do not reach the theme any more. A theme without a text begins with its title. 409 `path_conflict`: another file has the path of one that the text refers to.',
        params: ThemeParams,
        response: { 200: WrittenTextSchema, ...errors(401, 403, 404, 409, 503) },
      },
      handler: (request) => written.adopt(callerOf(request), request.params.theme_id),
    });

    await app.register(async (uploads: typeof app) => {
      const options = readsBytes(uploads, written.maxFileBytes);
      uploads.post(`${path}/pictures`, {
        config,
        ...options,
        schema: {
          tags,
          summary: 'Upload a picture for lessons',
          description: `PNG, JPEG, WebP or GIF, detected by content and not by name. Other content is 415. The same picture is stored once. ${limits}`,
          consumes: [binaryType],
          querystring: PictureQuery,
          body: BinaryBody,
          response: { 201: WrittenFileSchema, ...errors(400, 401, 403, 409, 413, 415) },
        },
        handler: async (request, reply) =>
          reply.code(201).send(await written.addPicture(callerOf(request), request.query.name, bytesOf(request))),
      });
    });
  };

const revisionsPath = '/api/admin/written-lessons/:id/revisions';

/** The revisions of the files that are written in the pages, and the files that a lesson can have. */
export const writtenRevisionRoutes =
  (written: WrittenService, files: LessonFiles): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(revisionsPath, {
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

    app.get(`${revisionsPath}/:revision`, {
      config,
      schema: {
        tags,
        summary: 'A revision of a file of lessons with its text',
        params: RevisionParams,
        response: { 200: RevisionTextSchema, ...errors(401, 403, 404) },
      },
      handler: (request) => written.revision(request.params.id, request.params.revision),
    });

    app.post(`${revisionsPath}/:revision/restore`, {
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
