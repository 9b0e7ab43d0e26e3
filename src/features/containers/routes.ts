import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { PageQuery, pageOf, setPageHeaders } from '../../http/lists/paging.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import { ContainerSchema, CreateBody, LimitsSchema, TemplateSchema } from './schema.ts';
import type { ContainerRow, ContainerService } from './service.ts';

export const containerRoutes =
  (containers: ContainerService): FastifyPluginAsyncTypebox =>
  async (app) => {
    /** A container as its user sees it. Records of warm containers and of those being removed never reach this function. */
    const toContainer = (row: ContainerRow) =>
      ({ ...row, kept_when_stopped: containers.keptWhenStopped }) as Static<typeof ContainerSchema>;
    const tags = ['containers'];

    app.get('/api/sandbox-templates', {
      config: { access: 'catalogue' },
      schema: {
        tags,
        summary: 'Sandbox templates that the caller can use',
        querystring: PageQuery,
        response: { 200: Type.Array(TemplateSchema), ...errors(401) },
      },
      handler: async (request, reply) => {
        const templates = await containers.templates(request.user);
        const page = pageOf(request.query);
        setPageHeaders(request, reply, page, templates.length);
        return templates.slice(page.offset, page.offset + page.limit);
      },
    });

    app.post('/api/containers/create', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Create a sandbox',
        description:
          'From a template; by default the first one. 409: the user has the maximum number of sandboxes. A template for a higher role is 404, ' +
          'like one that does not exist. 503: no capacity; a part of it is reserved for exams and laboratories.',
        body: CreateBody,
        response: { 201: ContainerSchema, ...errors(401, 404, 409, 415, 503) },
      },
      handler: async (request, reply) => {
        const row = await containers.create(callerOf(request), request.body.template_id ?? undefined);
        return reply.code(201).send(toContainer(row));
      },
    });

    app.get('/api/containers/sandbox', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "The caller's sandboxes",
        response: { 200: Type.Array(ContainerSchema), ...errors(401) },
      },
      handler: async (request) => (await containers.sandboxes(callerOf(request))).map(toContainer),
    });

    app.get('/api/containers/limits', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'What a user may have of containers',
        response: { 200: LimitsSchema, ...errors(401) },
      },
      handler: () => ({ sandboxes: containers.sandboxesPerUser }),
    });

    app.get('/api/containers/:id', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: "One of the caller's containers",
        params: IdParams,
        response: { 200: ContainerSchema, ...errors(401, 404) },
      },
      handler: async (request) => toContainer(await containers.get(callerOf(request), request.params.id)),
    });

    for (const action of ['start', 'stop'] as const) {
      app.post(`/api/containers/:id/${action}`, {
        config: { access: 'user' },
        schema: {
          tags,
          summary: `${action === 'start' ? 'Start' : 'Stop'} a sandbox`,
          description: `Succeeds if the sandbox is already in that state. 409 for the container of an attempt${action === 'start' ? ', and for a sandbox that was stopped because its disk was full. 503: no capacity' : ''}.`,
          params: IdParams,
          response: { 200: ContainerSchema, ...errors(401, 404, 409, 503) },
        },
        handler: async (request) => toContainer(await containers[action](callerOf(request), request.params.id)),
      });
    }

    app.post('/api/containers/:id/reset', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Replace a sandbox by a new one',
        description:
          'From the same template, with the same id and name, and with a new `created_at` and `expires_at`. All its files and shells are lost. 409 for the container of an attempt, during an exam that allows no sandboxes, and without the template. 503 `reset_failed`: the sandbox was deleted, but the new one could not be created. After every other error nothing has changed.',
        params: IdParams,
        response: { 200: ContainerSchema, ...errors(401, 404, 409, 503) },
      },
      handler: async (request) => toContainer(await containers.reset(callerOf(request), request.params.id)),
    });

    app.delete('/api/containers/:id', {
      config: { access: 'user' },
      schema: {
        tags,
        summary: 'Delete a sandbox with its content',
        params: IdParams,
        response: { 200: Done, ...errors(401, 404, 409) },
      },
      handler: async (request) =>
        await done(containers.delete(callerOf(request), request.params.id), 'Container deleted'),
    });
  };
