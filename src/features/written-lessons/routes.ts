import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { adminDoor, type Door } from '../../http/access/doors.ts';
import { PageQuery, pageOf, readPage, setPageHeaders } from '../../http/lists/paging.ts';
import { fileAnswers, sendFile } from '../../http/pages/served-file.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { BinaryBody, binaryType, bytesOf, readsBytes } from '../../http/protocol/media-types.ts';
import { errors, Id } from '../../http/protocol/schemas.ts';
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
import type { Writer, WrittenService } from './service.ts';

const limits =
  '409: `path_conflict` where there is another file, `files_full` beyond 2,000 files or 256 MiB with all revisions. 413: more than 8 MiB.';

/** What the routes of one door share. */
const behind = (door: Door) => ({
  tags: [door.tag],
  path: `${door.root}/written-lessons`,
  reads: door.allows('written-lessons', 'read'),
  changes: door.allows('written-lessons', 'change'),
  none: door.params({}),
  params: door.params({ id: Id }),
  writerOf: (request: FastifyRequest): Writer => ({ ...callerOf(request), courseId: door.courseOf(request) }),
});

/** The files of lessons that are written in the pages, behind both doors. Texts are read from the body only. */
export const writtenRoutes =
  (written: WrittenService, door: Door): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { tags, path, reads, changes, none, params, writerOf } = behind(door);
    app.get(path, {
      config: reads,
      schema: {
        tags,
        params: none,
        summary: 'The files of lessons that are written in the pages, by path',
        querystring: WrittenQuery,
        response: { 200: Type.Array(WrittenFileSchema), ...door.refusals },
      },
      handler: async (request, reply) => {
        const { q, is_deleted = false } = request.query;
        return await readPage(request, reply, (page) => written.files(writerOf(request), { q, is_deleted }, page));
      },
    });

    app.post(path, {
      config: changes,
      bodyLimit: maxTextBody,
      schema: {
        tags,
        params: none,
        summary: 'Write a new file for a lesson',
        description: limits,
        body: NewWrittenFile,
        response: { 201: WrittenTextSchema, ...door.refusals, ...errors(400, 409, 413, 415) },
      },
      handler: async (request, reply) => reply.code(201).send(await written.create(writerOf(request), request.body)),
    });

    app.get(`${path}/:id`, {
      config: reads,
      schema: {
        tags,
        summary: 'A file of lessons with its text',
        params,
        response: { 200: WrittenTextSchema, ...errors(401, 403, 404) },
      },
      handler: (request) => written.file(writerOf(request), request.params.id),
    });

    app.put(`${path}/:id`, {
      config: changes,
      bodyLimit: maxTextBody,
      schema: {
        tags,
        summary: 'Change the text or the path of a file of lessons',
        description: `Omitted fields are unchanged. Lessons that have the file move with it. 409 \`changed_meanwhile\`: there is a newer revision than \`revision\`; nothing is written. ${limits}`,
        params,
        body: WrittenFileChange,
        response: { 200: WrittenTextSchema, ...errors(400, 401, 403, 404, 409, 413, 415) },
      },
      handler: (request) => written.change(writerOf(request), request.params.id, request.body),
    });

    app.delete(`${path}/:id`, {
      config: door.allows('written-lessons', 'delete'),
      schema: {
        tags,
        summary: 'Delete a file of lessons',
        description: 'Its revisions are kept, and can be restored. 409 `lesson_file_in_use`: a lesson has the file.',
        params,
        response: { 200: Done, ...errors(401, 403, 404, 409) },
      },
      handler: async (request) =>
        await done(written.delete(writerOf(request), request.params.id), 'Lesson file deleted'),
    });

    app.get(`${path}/content`, {
      config: reads,
      schema: {
        tags,
        params: none,
        summary: 'A picture, PDF or plain text among the files of lessons that are written in the pages',
        querystring: ContentQuery,
        response: {
          ...fileAnswers(servedTypes),
          ...errors(401, 403, 404),
        },
      },
      handler: async (request, reply) => {
        return await sendFile(request, reply, await written.content(writerOf(request), request.query.path));
      },
    });

    app.get(`${path}/bundle`, {
      config: reads,
      schema: {
        tags,
        params: none,
        summary: 'All files with their history, as a Git bundle',
        description:
          '`git clone lessons.bundle` makes a repository of it: one commit for each revision, with the name of its author and no address. 404: there are no files yet.',
        response: {
          200: { description: 'The bundle.', content: { [binaryType]: { schema: Type.String({ format: 'binary' }) } } },
          ...errors(401, 403, 404, 503),
        },
      },
      handler: async (request, reply) => {
        const bundle = await written.bundle(writerOf(request));
        reply.header('Content-Disposition', 'attachment; filename="lessons.bundle"').type(binaryType);
        // The types declare the answer as text, but it is streamed.
        return reply.send(Readable.from(bundle, { objectMode: false }) as unknown as string);
      },
    });

    app.post(`${door.tree}/themes/:theme_id/write`, {
      config: changes,
      schema: {
        tags,
        summary: 'Write the text of a theme in the pages from now on',
        description:
          'Its present text, and the files that this refers to, are copied from the repository of its course. Later changes there do not reach the theme any more. A theme without a text begins with its title. 409 `path_conflict`: another file has the path of one that the text refers to.',
        params: door.params(ThemeParams.properties),
        response: { 200: WrittenTextSchema, ...errors(401, 403, 404, 409, 503) },
      },
      handler: (request) => written.adopt(writerOf(request), request.params.theme_id),
    });

    await app.register(async (uploads: typeof app) => {
      const options = readsBytes(uploads, written.maxFileBytes);
      uploads.post(`${path}/pictures`, {
        config: changes,
        ...options,
        schema: {
          tags,
          params: none,
          summary: 'Upload a picture for lessons',
          description: `PNG, JPEG, WebP or GIF, detected by content and not by name. Other content is 415. The same picture is stored once. ${limits}`,
          consumes: [binaryType],
          querystring: PictureQuery,
          body: BinaryBody,
          response: { 201: WrittenFileSchema, ...door.refusals, ...errors(400, 409, 413, 415) },
        },
        handler: async (request, reply) =>
          reply.code(201).send(await written.addPicture(writerOf(request), request.query.name, bytesOf(request))),
      });
    });
  };

/** The revisions of the files that are written in the pages, and the files that a lesson can have. Behind both doors. */
export const writtenRevisionRoutes =
  (written: WrittenService, files: LessonFiles, door: Door): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { tags, path, reads, changes, none, writerOf } = behind(door);
    const revisionsPath = `${path}/:id/revisions`;
    const revisionParams = door.params(RevisionParams.properties);
    app.get(revisionsPath, {
      config: reads,
      schema: {
        tags,
        summary: 'The revisions of a file of lessons, newest first',
        params: door.params({ id: Id }),
        querystring: PageQuery,
        response: { 200: Type.Array(RevisionSchema), ...errors(401, 403, 404) },
      },
      handler: async (request, reply) =>
        await readPage(request, reply, (page) => written.revisions(request.params.id, page)),
    });

    app.get(`${revisionsPath}/:revision`, {
      config: reads,
      schema: {
        tags,
        summary: 'A revision of a file of lessons with its text',
        params: revisionParams,
        response: { 200: RevisionTextSchema, ...errors(401, 403, 404) },
      },
      handler: (request) => written.revision(request.params.id, request.params.revision),
    });

    app.post(`${revisionsPath}/:revision/restore`, {
      config: changes,
      schema: {
        tags,
        summary: 'Make the content of a revision the newest one',
        description:
          'It becomes another revision, so the ones between are kept. A deleted file exists again, at its last path. 409: `conflict` for a revision with which the file was deleted, `path_conflict` where another file is at the path now.',
        params: revisionParams,
        response: { 200: WrittenTextSchema, ...errors(401, 403, 404, 409) },
      },
      handler: (request) => written.restore(writerOf(request), request.params.id, request.params.revision),
    });

    app.get(door === adminDoor ? '/api/admin/lessons/files' : `${door.root}/lesson-files`, {
      config: reads,
      schema: {
        tags,
        params: none,
        summary: 'The Markdown files that a lesson can have, with the lessons that have them',
        description:
          'Of the repository of a course, which is named by its own id or by that of one of its sections, or of those written in the pages (`is_written`). Without any of them, of the default repository. At most 10,000 files of a repository are looked at.',
        querystring: FilesQuery,
        response: { 200: Type.Array(LessonFileSchema), ...errors(401, 403, 404, 503) },
      },
      handler: async (request, reply) => {
        const page = pageOf(request.query);
        const all = await files.list(writerOf(request), request.query);
        setPageHeaders(request, reply, page, all.length);
        return all.slice(page.offset, page.offset + page.limit);
      },
    });
  };
