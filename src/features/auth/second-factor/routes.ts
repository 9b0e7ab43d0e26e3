import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../../http/access/access.ts';
import { customerNetworkOf } from '../../../http/limits/connections-per-address.ts';
import { Done, done } from '../../../http/protocol/fields.ts';
import { errors, IdParams, Timestamp } from '../../../http/protocol/schemas.ts';
import type { AuthService } from '../service.ts';
import type { SecondFactorService } from './service.ts';

const StateSchema = Type.Object(
  {
    is_active: Type.Boolean({ description: 'Whether an app is set up, whose code a login needs.' }),
    is_required: Type.Boolean({ description: 'Whether the installation requires it of the role of the caller.' }),
    recovery_codes_left: Type.Integer({ description: 'Recovery codes that are not used yet.' }),
  },
  { title: 'SecondFactor' },
);
const SecretSchema = Type.Object(
  {
    secret: Type.String({ description: 'In base32, for an app without a camera.' }),
    uri: Type.String({ description: '`otpauth://totp/...`, which apps read as a QR code.' }),
  },
  { title: 'SecondFactorSecret' },
);
const CodeBody = Type.Object(
  { code: Type.String({ minLength: 6, maxLength: 20, description: 'The six digits that the app shows.' }) },
  { title: 'SecondFactorCode' },
);
const RecoverySchema = Type.Object(
  {
    recovery_codes: Type.Array(Type.String(), {
      description: 'Each of them once in the place of a code. They are shown only this once.',
    }),
  },
  { title: 'RecoveryCodes' },
);
const LoginSchema = Type.Object(
  {
    id: Type.Integer(),
    device: Type.String({ description: 'From the user agent, such as `Firefox, Linux`. Empty: it is unknown.' }),
    address: Type.String({ description: 'From which a token was issued last.' }),
    created_at: Timestamp,
    last_used_at: { ...Timestamp, description: 'When a token was issued last.' },
    expires_at: { ...Timestamp, description: 'When the last token expires.' },
    is_current: Type.Boolean({ description: 'Whether the token of the request is one of it.' }),
  },
  { title: 'LoginSession' },
);

/** The caller's second factor and sessions. @param siteName by which apps list the secret */
export const secondFactorRoutes =
  (auth: AuthService, factors: SecondFactorService, siteName: () => Promise<string>): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['auth'];

    app.get('/api/auth/totp', {
      config: { access: 'user', isForSetUp: true },
      schema: { tags, summary: "The caller's second factor", response: { 200: StateSchema, ...errors(401) } },
      handler: async (request) => await factors.state(callerOf(request)),
    });

    app.post('/api/auth/totp', {
      config: { access: 'user', isForSetUp: true },
      schema: {
        tags,
        summary: 'Begin to set up a second factor',
        description:
          'A new secret (TOTP, RFC 6238: SHA-1, six digits, 30 seconds). Logins need a code once it is confirmed. 403 `login_not_recent`: the login is older than 15 minutes.',
        response: { 200: SecretSchema, ...errors(401, 403, 409) },
      },
      handler: async (request) => {
        const caller = callerOf(request);
        await auth.requireRecentLogin(caller);
        return await factors.begin(caller, await siteName());
      },
    });

    app.post('/api/auth/totp/confirm', {
      config: { access: 'user', isForSetUp: true },
      schema: {
        tags,
        summary: 'Confirm the second factor with a code',
        description: 'From then on logins need a code. A wrong code counts as a failed login: too many are 429.',
        body: CodeBody,
        response: { 200: RecoverySchema, ...errors(400, 401, 409, 415, 429) },
      },
      handler: async (request) => ({
        recovery_codes: await factors.confirm(
          callerOf(request),
          request.body.code,
          customerNetworkOf(request.clientAddress),
        ),
      }),
    });

    app.delete('/api/auth/totp', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Remove the app of the second factor',
        description:
          'Succeeds even if there is none. The recovery codes go as well where no passkey is left. Where the role requires a second factor, it has to be set up again at once. 403 `login_not_recent`: the login is older than 15 minutes.',
        response: { 200: Done, ...errors(401, 403) },
      },
      handler: async (request) => {
        await auth.requireRecentLogin(callerOf(request));
        return await done(factors.remove(callerOf(request)), 'Second factor removed');
      },
    });

    app.get('/api/auth/sessions', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "The caller's sessions",
        description:
          'A session is a login with all its tokens. The one that was used last is the first. The latest 100 are listed.',
        response: { 200: Type.Array(LoginSchema), ...errors(401) },
      },
      handler: async (request) => await auth.logins(callerOf(request)),
    });

    app.delete('/api/auth/sessions/:id', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'End a session',
        description: 'Its tokens and its cookie are refused at once, and its terminals are closed.',
        params: IdParams,
        response: { 200: Done, ...errors(401, 404) },
      },
      handler: async (request) => await done(auth.endLogin(callerOf(request), request.params.id), 'Session ended'),
    });
  };

/** Second factors of users, for administrators. */
export const adminSecondFactorRoutes =
  (factors: SecondFactorService): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.delete('/api/admin/users/:id/totp', {
      config: { access: 'admin' },
      schema: {
        tags: ['admin'],
        summary: "Reset a user's second factor",
        description:
          'Its app, passkeys and recovery codes are removed: the user logs in with the password alone, until another one is set up. Succeeds even if there is none.',
        params: IdParams,
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) =>
        await done(factors.reset(callerOf(request), request.params.id), 'Second factor reset'),
    });
  };
