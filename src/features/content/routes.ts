import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { courseDoor as door } from '../../http/access/doors.ts';
import { errors, Id, OneOf } from '../../http/protocol/schemas.ts';
import { coursePath } from '../../values/course-policies.ts';
import { maxArchiveBytes, maxArchiveFiles } from './archive.ts';
import type { CourseContentService } from './course-service.ts';

const ArchivedFile = Type.Object(
  {
    path: Type.String({ minLength: 1, maxLength: 1000, description: 'In a folder of content.' }),
    text: Type.Optional(Type.String()),
    base64: Type.Optional(Type.String({ description: 'Of a file that is no text in UTF-8.' })),
  },
  { title: 'ArchivedFile' },
);
const Archive = Type.Object(
  {
    files: Type.Array(ArchivedFile, {
      ...{ maxItems: maxArchiveFiles, description: 'All files of the folder, by path. Folders are not listed.' },
    }),
  },
  { title: 'CourseArchive' },
);
const Import = Type.Object(
  {
    ...Archive.properties,
    is_dry_run: Type.Optional(Type.Boolean({ description: 'Only says what would change.' })),
  },
  { title: 'CourseArchiveImport' },
);
const Change = Type.Object(
  {
    action: OneOf('created', 'updated', 'unchanged', 'left', 'removed'),
    kind: Type.String(),
    name: Type.String({ description: 'Slugs from the outermost in, such as `course/section/theme`.' }),
    fields: Type.Array(Type.String()),
  },
  { title: 'ContentChange' },
);
/** JSON writes a byte as up to two characters in base64, and as up to six in a text. */
const bodyLimit = 2 * maxArchiveBytes;

/** Export and import of one course. */
export const courseContentRoutes =
  (content: CourseContentService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['teaching'];
    const params = Type.Object({ course_id: Id });

    app.get(`${coursePath}/export`, {
      config: door.allows('archive', 'read'),
      schema: {
        tags,
        summary: 'Export a course with its exams, laboratories and written lessons, as files of a folder of content',
        description:
          'Drafts included. `npm run import` reads the files as well. Lessons of a repository stay there. 413: more than 16 MiB.',
        params,
        response: { 200: Archive, ...door.refusals, ...errors(413, 503) },
      },
      handler: async (request) => ({ files: await content.export(request.params.course_id) }),
    });

    app.post(`${coursePath}/import`, {
      config: door.allows('archive', 'change'),
      bodyLimit,
      schema: {
        tags,
        summary: 'Import files of an export into a course, completely or not at all',
        description:
          'Also those of another course. Items are matched by slug, and what the files do not have stays. New exams and laboratories are drafts. 403 `not_granted`: images or root that the course may not use.',
        params,
        body: Import,
        response: { 200: Type.Array(Change), ...door.refusals, ...errors(400, 409, 413, 415, 503) },
      },
      handler: async (request) => {
        const { params: of, body } = request;
        return await content.import(callerOf(request).id, of.course_id, body);
      },
    });
  };
