import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../../http/access/access.ts';
import { requireOwnPage, setLoginCookie } from '../../../http/access/login-cookie.ts';
import { customerNetworkOf } from '../../../http/limits/connections-per-address.ts';
import { Done, done } from '../../../http/protocol/fields.ts';
import { errors, IdParams, NullableTimestamp, Timestamp } from '../../../http/protocol/schemas.ts';
import { SessionSchema } from '../schema.ts';
import type { AuthService } from '../service.ts';
import { clientOf, toSession } from '../session-answer.ts';
import type { PasskeyService } from './service.ts';

const Base64 = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$', description });

const OptionsSchema = Type.Record(Type.String(), Type.Unknown(), {
  title: 'PasskeyOptions',
  description: 'As `PublicKeyCredential.parse...OptionsFromJSON` of a browser takes it.',
});
const credential = {
  id: Base64(1400, 'The id of the credential in base64url.'),
  rawId: Base64(1400, 'The same.'),
  type: Type.Literal('public-key'),
};
const clientDataJSON = Base64(8000, 'What the browser has signed, in base64url.');
const NewPasskeyBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', description: 'By which its user knows it.' }),
    credential: Type.Object(
      {
        ...credential,
        response: Type.Object(
          {
            clientDataJSON,
            attestationObject: Base64(16_000, 'The public key, in base64url.'),
            transports: Type.Optional(
              Type.Array(Type.String({ maxLength: 20 }), {
                maxItems: 10,
                description: 'How the authenticator is reached.',
              }),
            ),
          },
          { description: 'What the authenticator answers.' },
        ),
      },
      { description: 'What `navigator.credentials.create()` gives, as JSON.' },
    ),
  },
  { title: 'NewPasskey' },
);
const LoginBody = Type.Object(
  {
    credential: Type.Object(
      {
        ...credential,
        response: Type.Object(
          {
            clientDataJSON,
            authenticatorData: Base64(4000, 'What the authenticator has signed, in base64url.'),
            signature: Base64(8000, 'The signature in base64url.'),
            userHandle: Type.Optional(Base64(100, 'Whose passkey it is for the authenticator, in base64url.')),
          },
          { description: 'What the authenticator answers.' },
        ),
      },
      { description: 'What `navigator.credentials.get()` gives, as JSON.' },
    ),
    has_cookie: Type.Optional(Type.Boolean({ description: 'For the pages, as at `POST /api/auth/login`.' })),
  },
  { title: 'PasskeyLogin' },
);
const passkey = { id: Type.Integer(), name: Type.String(), created_at: Timestamp, last_used_at: NullableTimestamp };
const PasskeySchema = Type.Object(passkey, { title: 'Passkey' });
const AddedSchema = Type.Object(
  {
    ...passkey,
    recovery_codes: Type.Array(Type.String(), {
      description: 'Each once in the place of a code, shown only this once. Empty where the account has some already.',
    }),
  },
  { title: 'AddedPasskey' },
);

/** The caller's passkeys, and logins with them. @param siteName by which authenticators list the passkey */
export const passkeyRoutes =
  (auth: AuthService, passkeys: PasskeyService, siteName: () => Promise<string>): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['auth'];

    app.get('/api/auth/passkeys', {
      config: { access: 'user', isForSetUp: true },
      schema: { tags, summary: "The caller's passkeys", response: { 200: Type.Array(PasskeySchema), ...errors(401) } },
      handler: async (request) => await passkeys.list(callerOf(request)),
    });

    app.post('/api/auth/passkeys/options', {
      config: { access: 'user', isForSetUp: true },
      schema: {
        tags,
        summary: 'Begin to add a passkey',
        description:
          'With a challenge that is valid for five minutes, once, for the caller. 409 `passkeys_off`: `PUBLIC_URL` is not set, or not https.',
        response: { 200: OptionsSchema, ...errors(401, 403, 409) },
      },
      handler: async (request) => {
        const caller = callerOf(request);
        await auth.requireRecentLogin(caller);
        return (await passkeys.beginRegistration(caller, await siteName())) as Record<string, unknown>;
      },
    });

    app.post('/api/auth/passkeys', {
      config: { access: 'user', isForSetUp: true },
      schema: {
        tags,
        summary: 'Add a passkey',
        description:
          'From then on a login with the password alone is 401 `second_factor_required`. 403 `login_not_recent`: the login is older than 15 minutes. ' +
          '409: the passkey is registered, or the account has 20.',
        body: NewPasskeyBody,
        response: { 201: AddedSchema, ...errors(400, 401, 403, 409, 415) },
      },
      handler: async (request, reply) => {
        await auth.requireRecentLogin(callerOf(request));
        const { name, credential } = request.body;
        const added = await passkeys.register(callerOf(request), name.trim(), {
          ...credential,
          clientExtensionResults: {},
        } as Parameters<PasskeyService['register']>[2]);
        return await reply.code(201).send(added);
      },
    });

    app.delete('/api/auth/passkeys/:id', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Remove a passkey',
        description:
          'Without another second factor the recovery codes go as well. 403 `login_not_recent`: the login is older than 15 minutes.',
        params: IdParams,
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) => {
        await auth.requireRecentLogin(callerOf(request));
        return await done(passkeys.remove(callerOf(request), request.params.id), 'Passkey removed');
      },
    });

    app.post('/api/auth/passkeys/login/options', {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Begin a login with a passkey',
        description:
          'With a challenge that is valid for five minutes, once. 409 `passkeys_off`: `PUBLIC_URL` is not set, or not https.',
        response: { 200: OptionsSchema, ...errors(409) },
      },
      handler: async () => (await passkeys.beginLogin()) as Record<string, unknown>,
    });

    app.post('/api/auth/passkeys/login', {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Log in with a passkey',
        description:
          'In the place of password and code. The authenticator must have verified its user. 403 as at `POST /api/auth/login`.',
        body: LoginBody,
        response: { 200: SessionSchema, ...errors(401, 403, 409, 415) },
      },
      handler: async (request, reply) => {
        const { credential, has_cookie = false } = request.body;
        if (has_cookie) requireOwnPage(request);
        const session = await passkeys.login(
          { ...credential, clientExtensionResults: {} } as Parameters<PasskeyService['login']>[0],
          customerNetworkOf(request.clientAddress),
          { client: clientOf(request), hasCookie: has_cookie },
        );
        if (session.cookie !== undefined) setLoginCookie(request, reply, session.cookie);
        return toSession(session);
      },
    });
  };
