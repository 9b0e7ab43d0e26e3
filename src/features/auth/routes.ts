import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { UnauthorizedError } from '../../errors.ts';
import { callerOf } from '../../http/access/access.ts';
import { clearLoginCookie, readLoginCookie, requireOwnPage, setLoginCookie } from '../../http/access/login-cookie.ts';
import { isFromOwnPage } from '../../http/access/own-origin.ts';
import { customerNetworkOf } from '../../http/limits/connections-per-address.ts';
import { Done } from '../../http/protocol/fields.ts';
import { languageOf } from '../../http/protocol/language.ts';
import { errors } from '../../http/protocol/schemas.ts';
import type { PasswordResetService } from './password-reset/service.ts';
import type { InvitationService } from './registration/invitation-service.ts';
import type { RegistrationService } from './registration/service.ts';
import {
  InvitationBody,
  InvitedSchema,
  LoginBody,
  PasswordBody,
  RegisterBody,
  RegistrationRules,
  SessionSchema,
  toUser,
  UserSchema,
} from './schema.ts';
import type { AuthService, SignedInUser } from './service.ts';
import { clientOf, toSession } from './session-answer.ts';

/** Authentication has already read the whole row. */
const userOf = (request: FastifyRequest) => callerOf(request) as SignedInUser;

export const authRoutes =
  (
    auth: AuthService,
    registration: RegistrationService,
    mails: Pick<PasswordResetService, 'checkAddress' | 'noteLanguage'>,
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['auth'];

    app.post('/api/auth/register', {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Register as a student',
        description:
          '`GET /api/auth/registration` returns who may register. Others get 403. 429: too many registrations from one network in an hour, or ' +
          'too many wrong codes.',
        body: RegisterBody,
        response: { 200: UserSchema, ...errors(400, 403, 415, 429, 503) },
      },
      handler: async (request) => {
        const user = await registration.register(request.body, customerNetworkOf(request.clientAddress));
        await mails.checkAddress(user.id, languageOf(request));
        return toUser(user);
      },
    });

    app.get('/api/auth/registration', {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Who may register',
        description:
          '`open`: everybody; `domain`: users with an e-mail address of one of the `domains`; `code`: users with a registration code; `closed`: nobody.',
        response: { 200: RegistrationRules, ...errors() },
      },
      handler: async () => registration.rules(),
    });

    app.post('/api/auth/login', {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Log in',
        description:
          'JSON, or the same two fields as a form (the OAuth2 password form). 403 while an exam runs in another login that allows no second one. 401 `second_factor_required`: the account has a second factor, and the request needs its `code` as well; with `Error-Reason: passkey` it has passkeys and no app, so the code is a recovery code.',
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        body: LoginBody,
        response: { 200: SessionSchema, ...errors(401, 403, 415, 429, 503) },
      },
      // A client can have many addresses. Failures count for its network.
      handler: async (request, reply) => {
        const { username, password, code, has_cookie = false } = request.body;
        if (has_cookie) requireOwnPage(request);
        const session = await auth.login(username, password, customerNetworkOf(request.clientAddress), {
          ...{ client: clientOf(request), hasCookie: has_cookie, code: code ?? undefined },
        });
        await mails.noteLanguage(session.user.id, languageOf(request));
        if (session.cookie !== undefined) setLoginCookie(request, reply, session.cookie);
        return toSession(session);
      },
    });

    app.get('/api/auth/me', {
      config: { access: 'user', isForSetUp: true },
      schema: { tags, summary: 'The current user', response: { 200: UserSchema, ...errors(401) } },
      handler: async (request) => toUser(userOf(request)),
    });

    app.post('/api/auth/refresh', {
      config: { access: 'login', isForSetUp: true },
      schema: {
        tags,
        summary: 'Exchange a valid token for a new one',
        description:
          'The new token belongs to the same login. Without a token, the cookie of the pages is exchanged for a token and for the next value of the ' +
          'cookie. 403: the cookie came from a page of another origin.',
        response: { 200: SessionSchema, ...errors(401, 403) },
      },
      handler: async (request, reply) => {
        if (request.user) return toSession(await auth.refresh(userOf(request), clientOf(request)));
        const cookie = readLoginCookie(request);
        if (cookie === undefined) throw new UnauthorizedError('unauthorized', 'Not authenticated');
        const session = await auth.refreshByCookie(cookie, clientOf(request));
        if (session.cookie !== undefined) setLoginCookie(request, reply, session.cookie);
        return toSession(session);
      },
    });

    app.post('/api/auth/logout', {
      config: { access: 'user', isForSetUp: true },
      schema: {
        tags,
        summary: 'Invalidate all tokens issued until now',
        response: { 200: Done, ...errors(401) },
      },
      handler: async (request, reply) => {
        await auth.logout(userOf(request));
        if (isFromOwnPage(request)) clearLoginCookie(request, reply);
        return { detail: 'Logged out' };
      },
    });

    app.put('/api/auth/password', {
      config: { access: 'user', isForSetUp: true },
      schema: {
        tags,
        summary: 'Change the password',
        description:
          'Older tokens become invalid. The answer contains a new one. A wrong old password counts as a failed login: too many are 429.',
        body: PasswordBody,
        response: { 200: SessionSchema, ...errors(400, 401, 415, 429, 503) },
      },
      handler: async (request) => {
        const { old_password, new_password } = request.body;
        const network = customerNetworkOf(request.clientAddress);
        return toSession(await auth.changePassword(userOf(request), old_password, new_password, network));
      },
    });
  };

/** Invitations, for those who are invited. */
export const invitationRoutes =
  (invitations: InvitationService): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post('/api/auth/invitation', {
      config: { access: 'public' },
      schema: {
        tags: ['auth'],
        summary: 'Read an invitation, or accept it with a password',
        description:
          'Without a password nothing changes. With one, the account has it from then on, the invitation cannot be used again, and all tokens of the account are invalid. 429: too many wrong codes from one network.',
        body: InvitationBody,
        response: { 200: InvitedSchema, ...errors(403, 415, 429, 503) },
      },
      handler: async ({ body: { code, password }, clientAddress }) => {
        const { username, email, full_name } = await invitations.open(
          code,
          password ?? undefined,
          customerNetworkOf(clientAddress),
        );
        return { username, email, full_name };
      },
    });
  };
