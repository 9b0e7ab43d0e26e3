import { createHash } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { cookiesOf, setLoginCookie } from '../../http/access/login-cookie.ts';
import { originOf } from '../../http/access/own-origin.ts';
import { customerNetworkOf } from '../../http/limits/connections-per-address.ts';
import { errors } from '../../http/protocol/schemas.ts';
import { deviceOf } from '../../values/device.ts';
import { SessionSchema, toUser } from '../auth/schema.ts';
import type { Keys } from './keys.ts';
import { type Choices, type LaunchService, launchSeconds } from './launches.ts';
import type { RegistrationService } from './registration.ts';
import {
  ChoicesSchema,
  ClassBody,
  KeySetSchema,
  LaunchBody,
  LaunchForm,
  type LoginHints,
  LoginHintsSchema,
  RegistrationQuery,
  ShownBody,
  ShownSchema,
} from './schema.ts';

export type LtiParts = {
  launches: LaunchService;
  registration: RegistrationService;
  keys: Keys;
  /** The name of this installation. */
  siteName: () => Promise<string>;
  publicUrl: string | undefined;
};

const tags = ['lti'];
const html = (description: string) => ({ description, content: { 'text/html': { schema: Type.String() } } });
const form = ['application/x-www-form-urlencoded'];
/** Ends the registration in the window of the platform. It never changes, so its hash is known. */
const closing = `(window.opener ?? parent).postMessage({ subject: 'org.imsglobal.lti.close' }, '*');`;
const closingHash = createHash('sha256').update(closing).digest('base64');
const registered = `<!doctype html><html lang="en"><meta charset="utf-8"><title>LTI</title><p>Registered. An administrator of the learning platform can switch it on now.</p><script>${closing}</script></html>`;

/** Launches from the courses of platforms, after LTI 1.3 and Deep Linking 2.0. */
export const ltiRoutes =
  ({ launches, registration, keys, siteName, publicUrl }: LtiParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const launchUrlOf = (request: FastifyRequest): string => `${originOf(request, publicUrl)}/api/lti/launch`;
    /** In the frame of a platform it is that of the platform, which the browser keeps apart from those elsewhere. */
    const setCookie = (request: FastifyRequest, reply: FastifyReply, name: string, value: string): void => {
      const isSecure = originOf(request, publicUrl).startsWith('https:');
      const age = value === '' ? 0 : launchSeconds;
      const attributes = `Max-Age=${age}; Path=/; HttpOnly; Secure; SameSite=None; Partitioned`;
      reply.header('Set-Cookie', `${isSecure ? '__Host-' : ''}${name}=${value}; ${attributes}`);
    };
    const begin = async (request: FastifyRequest, reply: FastifyReply, hints: LoginHints): Promise<FastifyReply> => {
      const { url, cookie } = await launches.begin(hints, launchUrlOf(request));
      setCookie(request, reply, cookie.name, cookie.value);
      return reply.code(303).header('Cache-Control', 'no-store').header('Location', url).send();
    };
    const login = {
      ...{ tags, summary: 'Begin a launch from a platform' },
      description:
        'For browsers, which a platform sends here (OpenID Connect, third-party initiated login). They go on to the platform.',
    };
    const redirection = { 303: { description: 'The browser goes on to `Location`.', type: 'null' } } as const;

    app.get('/api/lti/login', {
      config: { access: 'public' },
      schema: { ...login, querystring: LoginHintsSchema, response: { ...redirection, ...errors(400, 404) } },
      handler: async (request, reply) => (await begin(request, reply, request.query)) as never,
    });

    app.post('/api/lti/login', {
      config: { access: 'public' },
      schema: {
        ...{ ...login, summary: 'Begin a launch from a platform with a form', consumes: form, body: LoginHintsSchema },
        response: { ...redirection, ...errors(400, 404, 415) },
      },
      handler: async (request, reply) => (await begin(request, reply, request.body)) as never,
    });

    app.post('/api/lti/launch', {
      config: { access: 'public' },
      schema: {
        ...{ tags, summary: 'Launch from a platform', consumes: form, body: LaunchForm },
        description:
          'For browsers, which carry the signed message of the platform. The document opens the page of the link; only pages of platforms may show it in a frame. A refused launch opens a page that says why.',
        response: { 200: html('The document of the pages.'), ...errors(400, 415) },
      },
      handler: async (request, reply) => {
        const { state = '' } = request.body;
        const name = launches.cookieName(state);
        const prefix = originOf(request, publicUrl).startsWith('https:') ? '__Host-' : '';
        const cookies = name === undefined ? [] : cookiesOf(request, `${prefix}${name}`);
        if (name !== undefined) setCookie(request, reply, name, '');
        // Browsers say where they show the answer.
        const { 'sec-fetch-dest': place } = request.headers;
        const isTop = place !== 'iframe' && place !== 'frame';
        const origins = await launches.origins();
        const arrival = await launches.launch(request.body, { cookies, isTop }, launchUrlOf(request));
        if ('refused' in arrival) {
          const refused = { 'launch-next': '/lti', 'launch-refused': arrival.refused };
          return (await reply.sendFramedPage(refused, origins)) as never;
        }
        const { launch, path, name: user } = arrival;
        const begun = { launch, 'launch-next': path, ...(user === undefined ? {} : { 'launch-user': user }) };
        return (await reply.sendFramedPage(begun, origins)) as never;
      },
    });

    app.get('/api/lti/keys', {
      config: { access: 'public' },
      schema: {
        ...{ tags, summary: 'The keys with which this service signs messages to platforms' },
        response: { 200: KeySetSchema, ...errors() },
      },
      handler: async () => await keys.published(),
    });

    app.get('/api/lti/register', {
      config: { access: 'public' },
      schema: {
        ...{ tags, summary: 'Register this service at a platform', querystring: RegistrationQuery },
        description:
          'For the browser of an administrator of a platform, with a link that an administrator of this service has made. The platform is not active yet. 409 `lti_platform_exists`.',
        response: { 200: html('A document that closes itself.'), ...errors(400, 409, 503) },
      },
      handler: async (request, reply) => {
        const tool = { origin: originOf(request, publicUrl), name: await siteName() };
        const origins = await registration.register(request.query, tool);
        reply.header(
          'Content-Security-Policy',
          `default-src 'none'; script-src 'sha256-${closingHash}'; frame-ancestors ${origins.join(' ')}`,
        );
        reply.removeHeader('X-Frame-Options').header('Cache-Control', 'no-store');
        return reply.type('text/html; charset=utf-8').send(registered) as never;
      },
    });

    app.post('/api/lti/session', {
      config: { access: 'public' },
      schema: {
        ...{ tags, summary: 'Exchange a launch for a token', body: LaunchBody },
        description:
          'For the page that a launch has opened, once. 401: the launch is over. 403 while an exam runs in another login that allows no second one.',
        response: { 200: SessionSchema, ...errors(401, 403, 415) },
      },
      handler: async (request, reply) => {
        const { clientAddress, headers } = request;
        const client = { device: deviceOf(headers['user-agent']), address: clientAddress };
        const { session, isTop } = await launches.enter(request.body.launch, customerNetworkOf(clientAddress), client);
        // In a frame the login is that of the page alone, and replaces none in the browser.
        if (isTop && session.cookie !== undefined) setLoginCookie(request, reply, session.cookie);
        const { access_token, token_type, expires_in, user } = session;
        return { access_token, token_type, expires_in, user: toUser(user) };
      },
    });

    const shown = ({ course, classes, items }: Choices) => ({
      ...{ course_title: course.title, class_id: course.class_id, classes, items },
    });
    const forWhom = 'For instructors of the course, with the launch that they have opened.';

    app.post('/api/lti/choices', {
      config: { access: 'user' },
      schema: {
        ...{ tags, summary: 'What a link in the course of a launch can show', description: forWhom, body: LaunchBody },
        response: { 200: ChoicesSchema, ...errors(401, 403, 415) },
      },
      handler: async (request) => shown(await launches.choices(callerOf(request), request.body.launch)),
    });

    app.put('/api/lti/class', {
      config: { access: 'user' },
      schema: {
        ...{ tags, summary: 'Let a class follow the course of a launch', body: ClassBody },
        description: `${forWhom} They have to be instructors here, and those of the class.`,
        response: { 200: ChoicesSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request) => {
        const { launch, class_id } = request.body;
        return shown(await launches.choose(callerOf(request), launch, class_id));
      },
    });

    app.put('/api/lti/item', {
      config: { access: 'user' },
      schema: {
        ...{ tags, summary: 'Choose what the link of a launch shows', body: ShownBody },
        description: `${forWhom} Where the platform has asked for a new link, the browser posts the answer to it.`,
        response: { 200: ShownSchema, ...errors(401, 403, 404, 415) },
      },
      handler: async (request) => {
        const { launch, ...item } = request.body;
        return await launches.show(callerOf(request), launch, item, launchUrlOf(request));
      },
    });
  };
