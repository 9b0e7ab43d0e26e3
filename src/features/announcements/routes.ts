import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { readPage } from '../../http/lists/paging.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import { AnnouncementChange, AnnouncementQuery, AnnouncementSchema, NewAnnouncement } from './schema.ts';
import type { AnnouncementStore } from './store.ts';

/** Announcements to classes and to everybody. */
export const announcementRoutes =
  (announcements: AnnouncementStore): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['announcements'];
    const path = '/api/announcements';
    const forWhom = 'For instructors of the class and administrators; to everybody, for administrators.';

    app.get(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "The announcements to everybody and to the caller's classes, the unread ones first, then the newest",
        description:
          'With `class_id`, those of that class alone. Users who may change an announcement see it even while it is not shown.',
        querystring: AnnouncementQuery,
        response: { 200: Type.Array(AnnouncementSchema), ...errors(401, 404) },
      },
      handler: async (request, reply) =>
        await readPage(request, reply, (page) => announcements.list(callerOf(request), request.query, page)),
    });

    app.post(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Announce something to a class or to everybody',
        description: `Its readers are notified when it begins to be shown. ${forWhom}`,
        body: NewAnnouncement,
        response: { 201: AnnouncementSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request, reply) =>
        reply.code(201).send(await announcements.create(callerOf(request), withDates(request.body))),
    });

    app.put(`${path}/:id`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Change an announcement',
        description: `Only the given fields. Readers are not notified again. ${forWhom}`,
        params: IdParams,
        body: AnnouncementChange,
        response: { 200: AnnouncementSchema, ...errors(401, 403, 404, 415) },
      },
      handler: async (request) =>
        await announcements.update(callerOf(request), request.params.id, withDates(request.body)),
    });

    app.delete(`${path}/:id`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Delete an announcement',
        description: forWhom,
        params: IdParams,
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) =>
        await done(announcements.delete(callerOf(request), request.params.id), 'Announcement deleted'),
    });

    app.post(`${path}/:id/read`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Mark an announcement as read',
        description: 'By the caller. Succeeds also if it is marked already.',
        params: IdParams,
        response: { 200: Done, ...errors(401, 404) },
      },
      handler: async (request) =>
        await done(announcements.markRead(callerOf(request), request.params.id), 'Announcement marked as read'),
    });
  };

type Times = { shows_from?: string; shows_until?: string | null };
type Dates = { shows_from?: Date; shows_until?: Date | null };

const withDates = <Body extends Times>({
  shows_from,
  shows_until,
  ...rest
}: Body): Omit<Body, keyof Times> & Dates => ({
  ...rest,
  ...(shows_from === undefined ? {} : { shows_from: new Date(shows_from) }),
  ...(shows_until === undefined ? {} : { shows_until: shows_until === null ? null : new Date(shows_until) }),
});
