import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { bearerToken, callerOf } from '../../http/access/access.ts';
import { sendEvents } from '../../http/protocol/event-stream.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors } from '../../http/protocol/schemas.ts';
import type { NotificationFeed } from './feed.ts';
import {
  MailSettings,
  MailSettingsChange,
  mailKinds,
  NotificationSchema,
  NotificationSettings,
  NotificationSettingsChange,
  notificationKinds,
  Reading,
} from './schema.ts';
import type { NotificationStore } from './store.ts';

/** The caller's notifications. */
export const notificationRoutes =
  (
    notifications: NotificationStore,
    feed: NotificationFeed,
    admission: (token: string) => Parameters<NotificationFeed['watch']>[0],
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['notifications'];
    const path = '/api/notifications';
    // A stream ends only with its client, and the server waits for it.
    app.addHook('preClose', async () => await feed[Symbol.asyncDispose]());

    app.get(path, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "The caller's notifications, the unread ones first, then the newest",
        description:
          'At most 50. They are kept for `NOTIFICATION_DAYS`; announcements as long as they are shown. Kinds that the caller has switched off are left out.',
        response: { 200: Type.Array(NotificationSchema), ...errors(401) },
      },
      handler: async (request) => await notifications.list(callerOf(request).id),
    });

    app.get(`${path}/events`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'The same as a stream of server-sent events',
        description:
          'Each event is `notifications` with the whole list: the first one soon after the connection, the others after a change. The stream ends with the token, and when the service stops.',
        response: {
          200: {
            description: 'A stream of events.',
            content: {
              'text/event-stream': {
                schema: Type.Unsafe<unknown>({ type: 'string', 'x-event': Type.Array(NotificationSchema) }),
              },
            },
          },
          ...errors(401, 429, 503),
        },
      },
      handler: async (request, reply) => {
        const stream = await feed.watch(admission(bearerToken(request.headers.authorization) ?? ''));
        return sendEvents(request, reply, stream);
      },
    });

    app.post(`${path}/read`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Mark notifications as read',
        description: 'An announcement is then read as well. Unknown keys are ignored.',
        body: Reading,
        response: { 200: Done, ...errors(401, 415) },
      },
      handler: async (request) =>
        await done(notifications.markRead(callerOf(request).id, request.body?.keys), 'Notifications marked as read'),
    });

    app.get(`${path}/settings`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'What the caller is notified of',
        response: { 200: NotificationSettings, ...errors(401) },
      },
      handler: async (request) => settingsOf(await notifications.muted(callerOf(request).id)),
    });

    app.put(`${path}/settings`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Switch kinds of notifications on and off',
        description: 'Only the given ones.',
        body: NotificationSettingsChange,
        response: { 200: NotificationSettings, ...errors(401, 415) },
      },
      handler: async (request) => {
        const changed = (isOn: boolean) => notificationKinds.filter((kind) => request.body[kind] === isOn);
        return settingsOf(await notifications.mute(callerOf(request).id, changed(false), changed(true)));
      },
    });

    app.get(`${path}/mail-settings`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Which mails the caller gets',
        description: 'Only where mail is on: `has_mail` of `GET /api/site`.',
        response: { 200: MailSettings, ...errors(401) },
      },
      handler: async (request) => mailSettingsOf(await notifications.mailsOff(callerOf(request).id)),
    });

    app.put(`${path}/mail-settings`, {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Switch kinds of mails on and off',
        description: 'Only the given ones.',
        body: MailSettingsChange,
        response: { 200: MailSettings, ...errors(401, 415) },
      },
      handler: async (request) => {
        const changed = (isOn: boolean) => mailKinds.filter((kind) => request.body[kind] === isOn);
        return mailSettingsOf(await notifications.switchMails(callerOf(request).id, changed(false), changed(true)));
      },
    });
  };

const mailSettingsOf = (off: readonly string[]) => {
  const isOn = (kind: (typeof mailKinds)[number]): boolean => !off.includes(kind);
  return {
    exam_planned: isOn('exam_planned'),
    results: isOn('results'),
    feedback: isOn('feedback'),
    hands: isOn('hands'),
  };
};

const settingsOf = (muted: readonly string[]) => {
  const isOn = (kind: (typeof notificationKinds)[number]): boolean => !muted.includes(kind);
  return {
    exam_opens: isOn('exam_opens'),
    time_left: isOn('time_left'),
    more_time: isOn('more_time'),
    supervision: isOn('supervision'),
    results: isOn('results'),
    deadline: isOn('deadline'),
    announcement: isOn('announcement'),
  };
};
