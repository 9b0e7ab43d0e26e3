import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import type { Door } from '../../http/access/doors.ts';
import { PageQuery, readPage } from '../../http/lists/paging.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors, Id } from '../../http/protocol/schemas.ts';
import { ImageChanges, ImageSchema, NewImageFields } from './schema.ts';
import type { ImageService } from './service.ts';

/** Images of containers. Fields are read from the body only: passwords are secret. */
export const imageRoutes =
  (images: ImageService, door: Door): FastifyPluginAsyncTypebox =>
  async (app) => {
    const path = `${door.root}/images`;
    const changes = { config: door.allows('images', 'change') };
    const tags = [door.tag];
    const none = door.params({});
    const params = door.params({ id: Id });

    app.get(path, {
      config: door.allows('images', 'read'),
      schema: {
        ...{ tags, summary: 'The container images, with their states', params: none, querystring: PageQuery },
        description:
          'First those that `npm run images` builds and others of the engine that everybody may use, then those of registries by name. Behind the door of a course: those that it may use.',
        response: { 200: Type.Array(ImageSchema), ...door.refusals },
      },
      handler: async (request, reply) =>
        await readPage(request, reply, (page) => images.list(page, door.courseOf(request))),
    });

    app.post(path, {
      ...changes,
      schema: {
        ...{ tags, summary: 'Add a container image of a registry', params: none, body: NewImageFields },
        description:
          'The engine pulls it in the background, one image after another; then a container of it is examined. The staff of a course may add images of the registries that administrators list for it (403 `not_granted`), and the course alone uses them. 409: `image_exists`; `too_many_images`.',
        response: { 201: ImageSchema, ...door.refusals, ...errors(400, 409, 415) },
      },
      handler: async (request, reply) =>
        await reply.code(201).send(await images.add(callerOf(request).id, request.body, door.courseOf(request))),
    });

    app.get(`${path}/:id`, {
      config: door.allows('images', 'read'),
      schema: {
        ...{ tags, summary: 'One container image of a registry', params },
        response: { 200: ImageSchema, ...errors(401, 403, 404) },
      },
      handler: async (request) => await images.get(request.params.id),
    });

    app.put(`${path}/:id`, {
      ...changes,
      schema: {
        ...{ tags, summary: 'Change the name or the credential of a container image', params, body: ImageChanges },
        description:
          'Omitted fields are unchanged. `username: null` removes the credential. With another credential, the image is pulled again.',
        response: { 200: ImageSchema, ...errors(400, 401, 403, 404, 415) },
      },
      handler: async (request) =>
        await images.update(callerOf(request).id, request.params.id, request.body, door.courseOf(request)),
    });

    app.delete(`${path}/:id`, {
      config: door.allows('images', 'delete'),
      schema: {
        ...{ tags, summary: 'Remove a container image', params },
        description:
          'Its credential is deleted, and the engine deletes the image. Its reference is refused until it is added again. 409 `image_in_use`: an exam, a laboratory, a sandbox template or a container has it.',
        response: { 200: Done, ...errors(401, 403, 404, 409) },
      },
      handler: async (request) =>
        await done(images.delete(callerOf(request).id, request.params.id), 'Container image removed'),
    });

    app.post(`${path}/:id/pull`, {
      ...changes,
      schema: {
        ...{ tags, summary: 'Pull a container image again', params },
        description: 'Until the new image has passed its examination, attempts get the one before.',
        response: { 200: ImageSchema, ...errors(401, 403, 404) },
      },
      handler: async (request) =>
        await images.pullAgain(callerOf(request).id, request.params.id, door.courseOf(request)),
    });
  };
