import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { callerOf } from '../../../http/access/access.ts';
import { customerNetworkOf } from '../../../http/limits/connections-per-address.ts';
import { Done, done } from '../../../http/protocol/fields.ts';
import { languageOf } from '../../../http/protocol/language.ts';
import { errors } from '../../../http/protocol/schemas.ts';
import { AddressSchema, ForgottenBody, MailTokenBody, ResetBody } from '../schema.ts';
import type { PasswordResetService } from './service.ts';

/** New passwords in place of forgotten ones, and the confirmation of addresses, by links in mails. */
export const passwordResetRoutes =
  (resets: PasswordResetService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['auth'];

    app.post('/api/auth/password/forgot', {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Ask for a link to set a new password',
        description:
          'The answer and its time are the same whether an account has the address or not: the mail is written afterwards. An account gets at most three an hour, and where mail is off (`has_mail` of `GET /api/site`) none.',
        body: ForgottenBody,
        response: { 200: Done, ...errors(415) },
      },
      handler: (request) => {
        resets.request(request.body.email, customerNetworkOf(request.clientAddress), languageOf(request));
        return { detail: 'If an account has this address, a mail is on its way' };
      },
    });

    app.post('/api/auth/password/reset', {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Set a new password with the token of a link',
        description:
          'Once, within 30 minutes, as long as password and address of the account are those of before. All tokens of the account are invalid then; a login needs what it needed before. 400 `invalid_token` otherwise.',
        body: ResetBody,
        response: { 200: Done, ...errors(400, 415, 429, 503) },
      },
      handler: async ({ body: { token, password }, clientAddress }) =>
        await done(resets.reset(token, password, customerNetworkOf(clientAddress)), 'Password changed'),
    });

    app.get('/api/auth/email', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "The caller's address, and whether it is confirmed",
        response: { 200: AddressSchema, ...errors(401, 404) },
      },
      handler: async (request) => await resets.addressOf(callerOf(request)),
    });

    app.post('/api/auth/email/check', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Send the link that confirms the address again',
        description:
          'At most three an hour. Nothing is sent for an address that needs no confirmation, or where mail is off.',
        response: { 200: Done, ...errors(401, 404, 429) },
      },
      handler: async (request) =>
        await done(
          resets.checkAddressAgain(callerOf(request), customerNetworkOf(request.clientAddress), languageOf(request)),
          'Mail queued',
        ),
    });

    app.post('/api/auth/email/confirm', {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Confirm an address with the token of a link',
        description: 'Once, within three days, as long as the account has the address. 400 `invalid_token` otherwise.',
        body: MailTokenBody,
        response: { 200: Done, ...errors(400, 415) },
      },
      handler: async ({ body: { token } }) => await done(resets.confirmAddress(token), 'Address confirmed'),
    });
  };
