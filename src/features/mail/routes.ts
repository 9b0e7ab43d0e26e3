import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { type Caller, callerOf } from '../../http/access/access.ts';
import { PageQuery, readPage } from '../../http/lists/paging.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { languageOf } from '../../http/protocol/language.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import { MailSchema, MailTestSchema } from './schema.ts';
import type { MailService, TestedUser } from './service.ts';

/** Mail, for administrators. */
export const mailRoutes =
  (mail: MailService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['admin'];
    const path = '/api/admin/mails';

    app.get(path, {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Mails that the mail server has not taken, the newest first',
        description:
          'Those that wait for another attempt, for up to three days, and those that failed, which are deleted after 30 days. Empty where mail is off.',
        querystring: PageQuery,
        response: { 200: Type.Array(MailSchema), ...errors(401, 403) },
      },
      handler: async (request, reply) => await readPage(request, reply, (page) => mail.withProblem(page)),
    });

    app.post(`${path}/test`, {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Send a test mail to the caller',
        description: 'At once, not through the queue. 409 `mail_off` where mail is off.',
        response: { 200: MailTestSchema, ...errors(401, 403, 409) },
      },
      handler: async (request) =>
        await mail.test(callerOf(request) as TestedUser & Caller, languageOf(request) ?? 'en'),
    });

    app.post(`${path}/:id/send`, {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Send a mail again',
        description: 'To the present address of its user. A link in it is as old as the mail: it can have ended.',
        params: IdParams,
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) => await done(mail.sendAgain(request.params.id), 'Mail queued'),
    });

    app.delete(`${path}/:id`, {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Delete a mail that was not taken',
        params: IdParams,
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) => await done(mail.delete(request.params.id), 'Mail deleted'),
    });
  };
