import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { callerOf } from '../../http/access.ts';
import { matchesTag, negotiate } from '../../http/negotiation.ts';
import { errors } from '../../http/schemas.ts';
import { servedTypes } from './media-types.ts';
import { CourseSchema, FileParams, RefreshSchema, ThemeParams, ThemeProgressSchema, ThemeSchema } from './schema.ts';
import type { LessonService } from './service.ts';

const textForms = ['application/json', 'text/markdown', 'text/plain'] as const;
const unchanged = { 304: Type.Null({ description: 'Not modified.' }) };
/** Disables scripts and external references in a picture, even when it is opened as a page. */
const pictureCsp = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/**
 * Sends a file unless the client has it already. Only the client itself may cache it. Headers are set last, so that an error has none of
 * them.
 */
async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  tag: string,
  read: () => Promise<string | Buffer>,
  type: string,
) {
  const isKnown = matchesTag(request.headers['if-none-match'], tag);
  const body = isKnown ? null : await read();
  reply.header('ETag', tag).header('Cache-Control', 'private, no-cache');
  return body === null ? reply.code(304).send() : reply.type(type).send(body);
}

function addVary(reply: FastifyReply, field: string): void {
  const known = reply.getHeader('Vary');
  reply.header('Vary', known === undefined ? field : `${String(known)}, ${field}`);
}

export const lessonRoutes =
  (lessons: LessonService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['lessons'];

    app.get('/api/lessons/courses', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'The courses with their sections, themes and the progress of the caller',
        description:
          'In the order of `order_index`, then `id`. Courses and sections that are not active are for administrators only.',
        response: { 200: Type.Array(CourseSchema), ...errors(401) },
      },
      handler: (request) => lessons.courses(callerOf(request)),
    });

    app.get('/api/lessons/themes/:theme_id', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'A theme, with its neighbours in the course',
        params: ThemeParams,
        response: { 200: ThemeSchema, ...errors(401, 404) },
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
          ...errors(401, 404, 503),
        },
      },
      handler: async (request, reply) => {
        const form = negotiate(request.headers.accept, textForms);
        const file = await lessons.content(callerOf(request), request.params.theme_id);
        addVary(reply, 'Accept');
        const read = async () => {
          // In every format, the text has no byte order mark, and has U+FFFD where the file is not UTF-8.
          const text = new TextDecoder().decode(await file.read());
          return form === 'application/json' ? JSON.stringify(text) : text;
        };
        return await sendFile(request, reply, `"${file.id}-${form.split('/')[1]}"`, read, `${form}; charset=utf-8`);
      },
    });

    app.get('/api/lessons/themes/:theme_id/files/*', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "A file that the theme's text refers to, such as a picture",
        description:
          'Only files that the Markdown refers to, of these kinds: PNG, JPEG, GIF, WebP, SVG, PDF, plain text. A path that begins with `../` or `/` is sent with its slashes as `%2F`.',
        params: FileParams,
        response: {
          200: {
            description: 'The file.',
            content: Object.fromEntries(
              servedTypes.map((type) => [type, { schema: Type.String({ format: 'binary' }) }]),
            ),
          },
          ...unchanged,
          ...errors(401, 404, 503),
        },
      },
      handler: async (request, reply) => {
        const file = await lessons.file(callerOf(request), request.params.theme_id, request.params['*']);
        reply.header('X-Content-Type-Options', 'nosniff');
        if (file.mediaType === 'image/svg+xml') reply.header('Content-Security-Policy', pictureCsp);
        return await sendFile(request, reply, `"${file.id}"`, file.read, file.mediaType);
      },
    });

    app.post('/api/lessons/themes/:theme_id/complete', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Mark a theme complete',
        description: 'Can be repeated: the time is updated. Only the first completion appears in the activity feed.',
        params: ThemeParams,
        response: { 200: ThemeProgressSchema, ...errors(401, 404) },
      },
      handler: (request) => lessons.complete(callerOf(request), request.params.theme_id),
    });

    app.delete('/api/lessons/themes/:theme_id/complete', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Mark a theme incomplete',
        params: ThemeParams,
        response: { 200: ThemeProgressSchema, ...errors(401, 404) },
      },
      handler: (request) => lessons.takeBack(callerOf(request), request.params.theme_id),
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
