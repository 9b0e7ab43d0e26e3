import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { PageQuery, pageOf, setPageHeaders } from '../../http/lists/paging.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors, Id } from '../../http/protocol/schemas.ts';
import { ImageChanges, ImageSchema, NewImageFields } from './schema.ts';
import type { ImageService } from './service.ts';

const path = '/api/admin/images';

/** Images of containers. Fields are read from the body only: passwords are secret. */
export const imageRoutes =
  (images: ImageService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const shared = { config: { access: 'admin' as const } };
    const tags = ['admin'];
    const params = Type.Object({ id: Id });

    app.get(path, {
      ...shared,
      schema: {
        ...{ tags, summary: 'The container images, with their states', querystring: PageQuery },
        description: 'First those that `npm run images` builds, then those of registries by name.',
        response: { 200: Type.Array(ImageSchema), ...errors(401, 403) },
      },
      handler: async (request, reply) => {
        const page = pageOf(request.query);
        const all = await images.list();
        setPageHeaders(request, reply, page, all.length);
        return all.slice(page.offset, page.offset + page.limit);
      },
    });

    app.post(path, {
      ...shared,
      schema: {
        ...{ tags, summary: 'Add a container image of a registry', body: NewImageFields },
        description:
          'The engine pulls it in the background, one image after another; then a container of it is examined. 409: the reference is there already, or the engine is a cluster, whose nodes pull images themselves.',
        response: { 201: ImageSchema, ...errors(400, 401, 403, 409, 415) },
      },
      handler: async (request, reply) =>
        await reply.code(201).send(await images.add(callerOf(request).id, request.body)),
    });

    app.get(`${path}/:id`, {
      ...shared,
      schema: {
        ...{ tags, summary: 'One container image of a registry', params },
        response: { 200: ImageSchema, ...errors(401, 403, 404) },
      },
      handler: async (request) => await images.get(request.params.id),
    });

    app.put(`${path}/:id`, {
      ...shared,
      schema: {
        ...{ tags, summary: 'Change the name or the credential of a container image', params, body: ImageChanges },
        description:
          'Omitted fields are unchanged. `username: null` removes the credential. With another credential, the image is pulled again.',
        response: { 200: ImageSchema, ...errors(400, 401, 403, 404, 415) },
      },
      handler: async (request) => await images.update(callerOf(request).id, request.params.id, request.body),
    });

    app.delete(`${path}/:id`, {
      ...shared,
      schema: {
        ...{ tags, summary: 'Remove a container image', params },
        description: 'Its credential is deleted. 409: an exam, a laboratory, a sandbox template or a container has it.',
        response: { 200: Done, ...errors(401, 403, 404, 409) },
      },
      handler: async (request) =>
        await done(images.delete(callerOf(request).id, request.params.id), 'Container image removed'),
    });

    app.post(`${path}/:id/pull`, {
      ...shared,
      schema: {
        ...{ tags, summary: 'Pull a container image again', params },
        description: 'Until the new image has passed its examination, attempts get the one before.',
        response: { 200: ImageSchema, ...errors(401, 403, 404) },
      },
      handler: async (request) => await images.pullAgain(callerOf(request).id, request.params.id),
    });
  };
