import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ConflictError } from '../../errors.ts';
import { callerOf } from '../../http/access/access.ts';
import { originOf } from '../../http/access/own-origin.ts';
import { PageQuery, readPage } from '../../http/lists/paging.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import type { Keys } from './keys.ts';
import type { PlatformService } from './platforms.ts';
import type { RegistrationService } from './registration.ts';
import {
  NewPlatformFields,
  PlatformChanges,
  PlatformSchema,
  PlatformTestSchema,
  RegistrationLinkSchema,
} from './schema.ts';

export type AdminLtiParts = {
  platforms: PlatformService;
  registration: Pick<RegistrationService, 'open'>;
  keys: Pick<Keys, 'rotate'>;
  publicUrl: string | undefined;
};

/** Platforms of LTI, for administrators. */
export const adminLtiRoutes =
  ({ platforms, registration, keys, publicUrl }: AdminLtiParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const path = '/api/admin/lti-platforms';
    const config = { access: 'admin' } as const;
    const tags = ['admin'];

    app.get(path, {
      config,
      schema: {
        ...{ tags, summary: 'The platforms of LTI, by name', querystring: PageQuery },
        response: { 200: Type.Array(PlatformSchema), ...errors(400, 401, 403) },
      },
      handler: async (request, reply) => await readPage(request, reply, (page) => platforms.list(page)),
    });

    app.post(path, {
      config,
      schema: {
        ...{ tags, summary: 'Add a platform of LTI', body: NewPlatformFields },
        description: 'Its launches are accepted once it is active. 409 `lti_platform_exists`.',
        response: { 201: PlatformSchema, ...errors(401, 403, 409, 415) },
      },
      handler: async (request, reply) =>
        await reply.code(201).send(await platforms.create(callerOf(request), request.body)),
    });

    app.put(`${path}/:id`, {
      config,
      schema: {
        ...{ tags, summary: 'Change a platform of LTI', params: IdParams, body: PlatformChanges },
        description: 'Omitted fields are unchanged. 409 `lti_platform_exists`.',
        response: { 200: PlatformSchema, ...errors(401, 403, 404, 409, 415) },
      },
      handler: async (request) => await platforms.update(callerOf(request), request.params.id, request.body),
    });

    app.delete(`${path}/:id`, {
      config,
      schema: {
        ...{ tags, summary: 'Delete a platform of LTI', params: IdParams },
        description: 'Its users keep their accounts, and its classes stay. The deletion can be undone.',
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) =>
        await done(platforms.delete(callerOf(request), request.params.id), 'Platform deleted'),
    });

    app.post(`${path}/:id/test`, {
      config,
      schema: {
        ...{ tags, summary: 'Test a platform of LTI', params: IdParams },
        description: 'The service reads its keys, and asks it for an access token.',
        response: { 200: PlatformTestSchema, ...errors(401, 403, 404) },
      },
      handler: async (request) => ({ problems: await platforms.examine(request.params.id) }),
    });

    app.post(`${path}/registration-link`, {
      config,
      schema: {
        ...{ tags, summary: 'Make a link with which one platform registers itself' },
        response: { 201: RegistrationLinkSchema, ...errors(400, 401, 403) },
      },
      handler: async (request, reply) => {
        const { key, expires_at } = registration.open();
        const url = `${originOf(request, publicUrl)}/api/lti/register?key=${key}`;
        return await reply.code(201).header('Cache-Control', 'no-store').send({ url, expires_at });
      },
    });

    app.post(`${path}/key`, {
      config,
      schema: {
        ...{ tags, summary: 'Replace the key that signs messages to platforms' },
        description: 'The new one is published at once and signs after an hour. 409 `lti_key_is_new`.',
        response: { 200: Done, ...errors(401, 403, 409) },
      },
      handler: async () => {
        if (!(await keys.rotate())) throw new ConflictError('lti_key_is_new', 'The last key is less than an hour old');
        return { detail: 'Key replaced' };
      },
    });
  };
