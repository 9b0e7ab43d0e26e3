import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { callerOf } from '../../http/access.ts';
import { networkOf } from '../../http/connections-per-address.ts';
import { errors } from '../../http/schemas.ts';
import { LoginBody, PasswordBody, RegisterBody, SessionSchema, toUser, UserSchema } from './schema.ts';
import type { AuthService, Session } from './service.ts';
import type { UserRow } from './store.ts';

/** Authentication has read the whole row. */
const userOf = (request: FastifyRequest) => callerOf(request) as UserRow;

const toSession = (session: Session) => ({ ...session, user: toUser(session.user) });

export const authRoutes =
  (auth: AuthService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['auth'];

    app.post('/api/auth/register', {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Register as a student',
        body: RegisterBody,
        response: { 200: UserSchema, ...errors(400, 415, 503) },
      },
      handler: async (request) => toUser(await auth.register(request.body)),
    });

    app.post('/api/auth/login', {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Log in',
        description: 'JSON, or the same two fields as a form (the OAuth2 password form).',
        consumes: ['application/json', 'application/x-www-form-urlencoded'],
        body: LoginBody,
        response: { 200: SessionSchema, ...errors(401, 415, 429, 503) },
      },
      // Of IPv6 a client has a whole network: failures count for that, whichever address it comes from.
      handler: async ({ body, ip }) => toSession(await auth.login(body.username, body.password, networkOf(ip))),
    });

    app.get('/api/auth/me', {
      config: { access: 'user' },
      schema: { tags, summary: 'The current user', response: { 200: UserSchema, ...errors(401) } },
      handler: async (request) => toUser(userOf(request)),
    });

    app.post('/api/auth/refresh', {
      config: { access: 'user' },
      schema: { tags, summary: 'A fresh token for a valid one', response: { 200: SessionSchema, ...errors(401) } },
      handler: async (request) => toSession(await auth.refresh(userOf(request))),
    });

    app.post('/api/auth/logout', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Refuse all tokens issued until now',
        response: { 200: Type.Object({ detail: Type.String() }), ...errors(401) },
      },
      handler: async (request) => {
        await auth.logout(callerOf(request).id);
        return { detail: 'Logged out' };
      },
    });

    app.put('/api/auth/password', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Change the password',
        description:
          'Older tokens are refused afterwards; the answer holds a fresh one. Wrong old passwords count as failed logins: too many are 429.',
        body: PasswordBody,
        response: { 200: SessionSchema, ...errors(400, 401, 415, 429, 503) },
      },
      handler: async (request) => {
        const { old_password, new_password } = request.body;
        const address = networkOf(request.ip);
        return toSession(await auth.changePassword(userOf(request), old_password, new_password, address));
      },
    });
  };
