import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { PageQuery, pageOf, setPageHeaders } from '../../http/lists/paging.ts';
import { fileAnswers, sendFile } from '../../http/pages/served-file.ts';
import { sendTagged, tagOf, unchanged } from '../../http/protocol/entity-tag.ts';
import { addVary, negotiate } from '../../http/protocol/negotiation.ts';
import { errors } from '../../http/protocol/schemas.ts';
import { downloadType, servedTypes } from '../../values/media-types.ts';
import { RefreshSchema } from '../lesson-repositories/schema.ts';
import {
  ClosedSchema,
  CourseParams,
  CourseSchema,
  CourseSummarySchema,
  FileParams,
  FileQuery,
  MissingFileSchema,
  SummaryQuery,
  TeachersSchema,
  ThemeParams,
  ThemeProgressSchema,
  ThemeRowSchema,
  ThemeSchema,
} from './schema.ts';
import type { LessonService } from './service.ts';

const jsonType = 'application/json; charset=utf-8';
const textForms = ['application/json', 'text/markdown', 'text/plain'] as const;

export const lessonRoutes =
  (lessons: LessonService, teachersOf: (courseId: number) => Promise<string[]>): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['lessons'];

    app.get('/api/lessons/courses', {
      config: { access: 'user', hasEntityTag: true },
      schema: {
        tags,
        summary: 'The courses with their sections, themes and the progress of the caller',
        description:
          'In the order of `order_index`, then `id`. Courses and sections that are not active are for administrators only.',
        querystring: PageQuery,
        response: { 200: Type.Array(CourseSchema), ...errors(401) },
      },
      handler: async (request, reply) => {
        const tree = await lessons.courses(callerOf(request));
        const page = pageOf(request.query);
        const { limit, offset } = page;
        const range = tree.length <= limit && offset === 0 ? undefined : { first: offset, end: offset + limit };
        setPageHeaders(request, reply, page, tree.length);
        const read = () => tree.render(range);
        return await sendTagged(request, reply, { tag: tagOf(tree.version(range)), type: jsonType, read });
      },
    });

    app.get('/api/lessons/courses/:course_id', {
      config: { access: 'user', hasEntityTag: true },
      schema: {
        tags,
        summary: 'A course with its sections, themes and the progress of the caller',
        params: CourseParams,
        response: { 200: CourseSchema, ...errors(401, 404) },
      },
      handler: async (request, reply) => {
        const { version, render } = await lessons.course(callerOf(request), request.params.course_id);
        return await sendTagged(request, reply, { tag: tagOf(version), type: jsonType, read: render });
      },
    });

    app.get('/api/lessons/courses/:course_id/teachers', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Who teaches a course',
        params: CourseParams,
        response: { 200: TeachersSchema, ...errors(401, 404) },
      },
      handler: async (request) => {
        const { courseId } = await lessons.sectionsOf(callerOf(request), { courseId: request.params.course_id });
        return await teachersOf(courseId);
      },
    });

    app.get('/api/lessons/course-summaries', {
      config: { access: 'user', hasEntityTag: true },
      schema: {
        tags,
        summary: 'The courses without their sections, with the progress of the caller',
        description:
          'In the order of the courses. `state` selects those of whose themes the caller has completed none (`new`), some (`begun`) ' +
          'or all (`finished`). `next_theme` is the first open theme that is not complete, the first theme of a finished course, and ' +
          'null in a course without themes, or while all that is left is closed.',
        querystring: SummaryQuery,
        response: { 200: Type.Array(CourseSummarySchema), ...errors(401) },
      },
      handler: async (request, reply) => {
        const page = pageOf(request.query);
        const { courses, total } = await lessons.summaries(callerOf(request), page, request.query.state);
        setPageHeaders(request, reply, page, total);
        return courses;
      },
    });

    app.get('/api/lessons/themes', {
      config: { access: 'user', hasEntityTag: true },
      schema: {
        tags,
        summary: 'The themes with a Markdown file',
        description:
          'Links between the Markdown files of the repository lead to themes this way. Empty if no visible theme has the file.',
        querystring: FileQuery,
        response: { 200: Type.Array(ThemeRowSchema), ...errors(401) },
      },
      handler: async (request) => [
        ...(await lessons.themesOfFile(callerOf(request), request.query.markdown_file_path)),
      ],
    });

    app.get('/api/lessons/themes/:theme_id', {
      config: { access: 'user', hasEntityTag: true },
      schema: {
        tags,
        summary: 'A theme, with its neighbours in the course',
        description:
          '403 `opens_later` for a student while its section is closed, here and in all routes of a theme. A closed neighbour is null.',
        params: ThemeParams,
        response: { 200: ThemeSchema, ...errors(401, 403, 404) },
      },
      handler: (request) => lessons.theme(callerOf(request), request.params.theme_id),
    });

    app.get('/api/lessons/themes/:theme_id/content', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "The theme's text in Markdown",
        description:
          'A JSON string, or the text itself for `Accept: text/markdown` or `text/plain`. `If-None-Match` is honoured.',
        params: ThemeParams,
        response: {
          200: {
            description: 'The Markdown text.',
            content: Object.fromEntries(textForms.map((form) => [form, { schema: Type.String() }])),
          },
          ...unchanged,
          ...errors(401, 403, 404, 503),
        },
      },
      handler: async (request, reply) => {
        const form = negotiate(request.headers.accept, textForms);
        const { id, read } = await lessons.content(callerOf(request), request.params.theme_id, form);
        addVary(reply, 'Accept');
        const tag = `"${id}-${form.split('/')[1]}"`;
        return await sendTagged(request, reply, { tag, type: `${form}; charset=utf-8`, read });
      },
    });

    app.get('/api/lessons/themes/:theme_id/files/*', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "A file that the theme's text refers to, such as a picture",
        description:
          'Only files that the Markdown refers to. PNG, JPEG, GIF, WebP, SVG, PDF and plain text have their types; any other file is a download (`application/octet-stream`). 404 as well for a file that Git LFS keeps elsewhere. A path that begins with `../` or `/` is sent with its slashes as `%2F`.',
        params: FileParams,
        response: {
          ...fileAnswers([...servedTypes, downloadType]),
          ...errors(401, 403, 404, 503),
        },
      },
      handler: async (request, reply) => {
        const file = await lessons.file(callerOf(request), request.params.theme_id, request.params['*']);
        return await sendFile(request, reply, file);
      },
    });

    app.post('/api/lessons/themes/:theme_id/complete', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Mark a theme complete',
        description:
          'Can be repeated: the time is updated. Only the first completion appears in the activity feed. 404 `lesson_file_not_found`: students cannot complete a theme whose file is not in the lessons repository.',
        params: ThemeParams,
        response: { 200: ThemeProgressSchema, ...errors(401, 403, 404) },
      },
      handler: (request) => lessons.complete(callerOf(request), request.params.theme_id),
    });

    app.delete('/api/lessons/themes/:theme_id/complete', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Mark a theme incomplete',
        params: ThemeParams,
        response: { 200: ThemeProgressSchema, ...errors(401, 403, 404) },
      },
      handler: (request) => lessons.markIncomplete(callerOf(request), request.params.theme_id),
    });

    app.get('/api/openings', {
      config: { access: 'user', hasEntityTag: true },
      schema: {
        tags,
        summary: 'The sections, exams and laboratories that are closed for the caller, with what opens them',
        description:
          'Nothing is closed for instructors and administrators. A laboratory is closed while its section is.',
        querystring: PageQuery,
        response: { 200: Type.Array(ClosedSchema), ...errors(401) },
      },
      handler: async (request, reply) => {
        const page = pageOf(request.query);
        const closed = await lessons.closed(callerOf(request));
        setPageHeaders(request, reply, page, closed.length);
        return closed.slice(page.offset, page.offset + page.limit);
      },
    });

    app.get('/api/admin/lessons/missing-files', {
      config: { access: 'admin' },
      schema: {
        tags: ['admin'],
        summary: 'The themes whose Markdown file is not in the lessons repository',
        description: 'In the order of the courses, inactive ones included, for the commit that is served now.',
        querystring: PageQuery,
        response: { 200: Type.Array(MissingFileSchema), ...errors(401, 403, 503) },
      },
      handler: async (request, reply) => {
        const page = pageOf(request.query);
        const missing = await lessons.missingFiles(callerOf(request));
        setPageHeaders(request, reply, page, missing.length);
        return missing.slice(page.offset, page.offset + page.limit);
      },
    });

    app.post('/api/lessons/refresh-repository', {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Update the lessons repository now',
        response: { 200: RefreshSchema, ...errors(401, 403, 503) },
      },
      handler: async () => {
        const { commit, changed } = await lessons.refresh();
        return { commit, has_changed: changed };
      },
    });
  };
