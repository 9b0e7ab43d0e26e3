import { createHash } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { UnavailableError } from '../../errors.ts';
import { bearerToken, type Caller, callerOf } from '../../http/access/access.ts';
import { cookiesOf, setLoginCookie } from '../../http/access/login-cookie.ts';
import { originOf } from '../../http/access/own-origin.ts';
import { customerNetworkOf } from '../../http/limits/connections-per-address.ts';
import { PageQuery, readPage } from '../../http/lists/paging.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import { LoginRefusedError } from './openid.ts';
import type { ListedProvider } from './provider-store.ts';
import {
  AnswerQuery,
  ExaminationSchema,
  IdentitySchema,
  IdentityUrl,
  LoginProviderSchema,
  LoginQuery,
  NewIdentity,
  NewProviderFields,
  ProviderChanges,
  ProviderSchema,
  SlugParams,
} from './schema.ts';
import { type Arrival, flowSeconds, type IdentityProviderService } from './service.ts';

const pathOf = (slug: string): string => `/api/auth/providers/${slug}`;

/** Leaves the note that the pages look for (web/src/api/remembered-user.ts), then opens the page. It never changes, so its hash is known. */
const script = `const { user, provider, next } = document.documentElement.dataset;
try {
  localStorage.setItem('session-user', user);
  localStorage.setItem('session-provider', provider);
} catch {}
location.replace(next);`;
const scriptPolicy = `default-src 'none'; script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'; frame-ancestors 'none'`;
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign);
const documentOf = (userId: number, slug: string, next: string): string =>
  `<!doctype html><html data-user="${userId}" data-provider="${slug}" data-next="${escaped(next)}"><meta charset="utf-8"><title>…</title><script>${script}</script></html>`;

const redirection = { 303: { description: 'The browser goes on to `Location`.', type: 'null' } } as const;

/** Logins through identity providers, for browsers. */
export const identityProviderRoutes =
  (
    service: IdentityProviderService,
    auth: { requireRecentLogin: (caller: Caller) => Promise<void> },
    publicUrl: string | undefined,
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['auth'];

    /** Of this browser. With TLS no other host can set one of this name. */
    const flowCookie = (origin: string, slug: string) => {
      const isSecure = origin.startsWith('https:');
      const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
      return { name: `${isSecure ? '__Host-' : ''}login-${slug}`, attributes, isSecure };
    };
    const keepFlow = (request: FastifyRequest, reply: FastifyReply, slug: string, value: string): void => {
      const { name, attributes } = flowCookie(originOf(request, publicUrl), slug);
      const age = value === '' ? 0 : flowSeconds;
      reply.header('Set-Cookie', `${name}=${value}; Max-Age=${age}; ${attributes}`);
    };
    /** What ends the login at the provider. Only pages of this service can have it sent, so nobody else's link ends it without a question. */
    const endCookie = (slug: string, isSecure: boolean) => ({
      name: `${isSecure ? '__Secure-' : ''}logout-${slug}`,
      attributes: `Path=${pathOf(slug)}/logout; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`,
    });
    const goTo = (reply: FastifyReply, url: string): FastifyReply =>
      reply.code(303).header('Cache-Control', 'no-store').header('Location', url).send();
    /** Back to the login page, which says why. */
    const refuse = (reply: FastifyReply, error: unknown, next: string | undefined): FastifyReply => {
      if (!(error instanceof LoginRefusedError)) throw error;
      const { refusal: refused, isLinking } = error;
      if (isLinking) return goTo(reply, `/profile?${new URLSearchParams({ refused })}`);
      const back = next ?? error.next;
      return goTo(reply, `/login?${new URLSearchParams({ refused, ...(back === '/' ? {} : { next: back }) })}`);
    };

    app.get('/api/auth/providers', {
      config: { access: 'public' },
      schema: {
        ...{ tags, summary: 'The identity providers to log in with' },
        response: { 200: Type.Array(LoginProviderSchema), ...errors() },
      },
      handler: async () =>
        (await service.active()).map(({ id, name, slug }) => ({
          ...{ id, name, kind: 'oidc' as const, login_url: `${pathOf(slug)}/login` },
        })),
    });

    app.get('/api/auth/providers/:slug/login', {
      config: { access: 'public' },
      schema: {
        ...{ tags, summary: 'Begin a login with a provider', params: SlugParams, querystring: LoginQuery },
        description:
          'For browsers. They go on to the provider, or back to `/login` with `refused`. `next` leads to pages of this service only.',
        response: { ...redirection, ...errors(400, 404) },
      },
      handler: async (request, reply) => {
        const { slug } = request.params;
        const { next } = request.query;
        const redirectUri = `${originOf(request, publicUrl)}${pathOf(slug)}/callback`;
        try {
          const { url, cookie } = await service.begin(slug, redirectUri, next);
          keepFlow(request, reply, slug, cookie);
          return goTo(reply, url) as never;
        } catch (error) {
          return refuse(reply, error, next) as never;
        }
      },
    });

    app.get('/api/auth/providers/:slug/callback', {
      config: { access: 'public' },
      schema: {
        ...{ tags, summary: 'End a login with the answer of a provider', params: SlugParams, querystring: AnswerQuery },
        description:
          'For browsers, which a provider sends here. The answer sets the cookie of the pages and opens the page where the user was. A refused one goes back to `/login` with `refused`.',
        response: {
          200: { description: 'A document that opens the page.', content: { 'text/html': { schema: Type.String() } } },
          ...redirection,
          ...errors(400, 404),
        },
      },
      handler: async (request, reply) => {
        const { slug } = request.params;
        const { name, isSecure } = flowCookie(originOf(request, publicUrl), slug);
        keepFlow(request, reply, slug, '');
        const query = new URL(request.url, 'http://own.invalid').searchParams;
        let arrival: Arrival;
        try {
          const network = customerNetworkOf(request.clientAddress);
          arrival = await service.finish(slug, query, cookiesOf(request, name), network);
        } catch (error) {
          return refuse(reply, error, undefined) as never;
        }
        const { next, session, end } = arrival;
        if (session?.cookie === undefined) return goTo(reply, next) as never;
        setLoginCookie(request, reply, session.cookie, isSecure);
        const { name: endName, attributes } = endCookie(slug, isSecure);
        reply.header('Set-Cookie', `${endName}=${end ?? ''}; ${end === undefined ? 'Max-Age=0; ' : ''}${attributes}`);
        reply.header('Cache-Control', 'no-store').header('Content-Security-Policy', scriptPolicy);
        return reply.type('text/html; charset=utf-8').send(documentOf(session.user.id, slug, next));
      },
    });

    app.get('/api/auth/providers/:slug/logout', {
      config: { access: 'public' },
      schema: {
        ...{ tags, summary: 'End the login at a provider', params: SlugParams },
        description:
          'For browsers, after `POST /api/auth/logout`. They go on to the provider, which sends them back to `/login`; to `/login` where it has no such address.',
        response: { ...redirection, ...errors(400, 404, 503) },
      },
      handler: async (request, reply) => {
        const origin = originOf(request, publicUrl);
        const { name, attributes } = endCookie(request.params.slug, origin.startsWith('https:'));
        const url = await service.endOf(request.params.slug, `${origin}/login`, cookiesOf(request, name));
        reply.header('Set-Cookie', `${name}=; Max-Age=0; ${attributes}`);
        return goTo(reply, url) as never;
      },
    });

    app.get('/api/auth/identities', {
      config: { access: 'user' },
      schema: {
        ...{ tags, summary: 'The identity providers with which the caller logs in' },
        response: { 200: Type.Array(IdentitySchema), ...errors(401) },
      },
      handler: async (request) => await service.identities(callerOf(request).id),
    });

    app.post('/api/auth/identities', {
      config: { access: 'user' },
      schema: {
        ...{ tags, summary: 'Begin to link an identity provider', body: NewIdentity },
        description:
          'For pages of this service: the answer sets a cookie for the browser, which then goes to `url`. It comes back to `next`, or to `/profile` with `refused`. 403 `login_not_recent`: the login is older than 15 minutes.',
        response: { 200: IdentityUrl, ...errors(400, 401, 403, 404, 415, 503) },
      },
      handler: async (request, reply) => {
        await auth.requireRecentLogin(callerOf(request));
        const { provider_id, next = '/profile' } = request.body;
        const slug = (await service.active()).find(({ id }) => id === provider_id)?.slug ?? '';
        const redirectUri = `${originOf(request, publicUrl)}${pathOf(slug)}/callback`;
        try {
          const { url, cookie } = await service.begin(
            slug,
            redirectUri,
            next,
            bearerToken(request.headers.authorization),
          );
          keepFlow(request, reply, slug, cookie);
          return { url };
        } catch (error) {
          if (!(error instanceof LoginRefusedError)) throw error;
          throw new UnavailableError('unavailable', 'The identity provider does not answer', { retryAfter: 10 });
        }
      },
    });

    app.delete('/api/auth/identities/:id', {
      config: { access: 'user' },
      schema: {
        ...{ tags, summary: 'Unlink an identity provider', params: IdParams },
        description: '409 `last_login`: the caller has neither a password nor another provider to log in with.',
        response: { 200: Done, ...errors(401, 404, 409) },
      },
      handler: async (request) => await done(service.unlink(callerOf(request).id, request.params.id), 'Unlinked'),
    });
  };

/** Identity providers, for administrators. Fields are read from the body only: secrets are among them. */
export const adminIdentityProviderRoutes =
  (service: IdentityProviderService, publicUrl: string | undefined): FastifyPluginAsyncTypebox =>
  async (app) => {
    const path = '/api/admin/identity-providers';
    const config = { access: 'admin' } as const;
    const tags = ['admin'];
    const redirectUriOf = (request: FastifyRequest) => (slug: string) =>
      `${originOf(request, publicUrl)}${pathOf(slug)}/callback`;
    const shown = (request: FastifyRequest, { sealed_secret, ...provider }: ListedProvider) => ({
      ...{ ...provider, has_client_secret: sealed_secret !== null },
      redirect_uri: redirectUriOf(request)(provider.slug),
      logout_uri: `${originOf(request, publicUrl)}/login`,
    });

    app.get(path, {
      config,
      schema: {
        ...{ tags, summary: 'The identity providers, by name', querystring: PageQuery },
        response: { 200: Type.Array(ProviderSchema), ...errors(400, 401, 403) },
      },
      handler: async (request, reply) =>
        await readPage(request, reply, async (page) => {
          const { rows, total } = await service.list(page);
          return { rows: rows.map((row) => shown(request, row)), total };
        }),
    });

    app.post(path, {
      config,
      schema: {
        ...{ tags, summary: 'Add an identity provider of OpenID Connect', body: NewProviderFields },
        description: 'Users can log in with it once it is active. 409 `identity_provider_exists`.',
        response: { 201: ProviderSchema, ...errors(400, 401, 403, 409, 415) },
      },
      handler: async (request, reply) =>
        await reply.code(201).send(shown(request, await service.create(callerOf(request), request.body))),
    });

    app.get(`${path}/:id`, {
      config,
      schema: {
        ...{ tags, summary: 'One identity provider', params: IdParams },
        response: { 200: ProviderSchema, ...errors(400, 401, 403, 404) },
      },
      handler: async (request) => shown(request, await service.get(request.params.id)),
    });

    app.put(`${path}/:id`, {
      config,
      schema: {
        ...{ tags, summary: 'Change an identity provider', params: IdParams, body: ProviderChanges },
        description:
          'Omitted fields are unchanged. `client_secret: null` removes the secret. 409 `identity_provider_exists`.',
        response: { 200: ProviderSchema, ...errors(400, 401, 403, 404, 409, 415) },
      },
      handler: async (request) =>
        shown(request, await service.update(callerOf(request), request.params.id, request.body)),
    });

    app.delete(`${path}/:id`, {
      config,
      schema: {
        ...{ tags, summary: 'Delete an identity provider', params: IdParams },
        description: 'Its users keep their accounts, and cannot log in with it. The deletion can be undone.',
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) =>
        await done(service.delete(callerOf(request), request.params.id), 'Identity provider deleted'),
    });

    app.post(`${path}/:id/test`, {
      config,
      schema: {
        ...{ tags, summary: 'Test an identity provider', params: IdParams },
        description:
          'The service reads its description and its keys, and asks it whether it knows the client and its secret. Whether it knows the `redirect_uri` only a login shows.',
        response: { 200: ExaminationSchema, ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request) => {
        const { problems, hasLogout } = await service.examine(request.params.id, redirectUriOf(request));
        return { problems, has_logout: hasLogout };
      },
    });
  };
