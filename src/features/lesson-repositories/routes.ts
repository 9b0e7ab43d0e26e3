import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { PageQuery, pageOf, setPageHeaders } from '../../http/lists/paging.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import {
  HostKeyAcceptance,
  NewRepository,
  RefreshSchema,
  RepositoryChanges,
  RepositorySchema,
  RepositoryTestSchema,
} from './schema.ts';
import type { RepositoryService } from './service.ts';

const path = '/api/admin/lessons/repositories';

/** Administrators manage the repositories of lessons. Fields are read from the body only: addresses are logged, and keys are secret. */
export const repositoryRoutes =
  (repositories: RepositoryService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = ['admin'];
    const config = { access: 'admin' } as const;

    app.get(path, {
      config,
      schema: {
        tags,
        summary: 'The lesson repositories, with their courses and the outcome of the last update',
        description:
          'The default repository, which the configuration names, is the first. What is known of it is of the process that answers.',
        querystring: PageQuery,
        response: { 200: Type.Array(RepositorySchema), ...errors(401, 403) },
      },
      handler: async (request, reply) => {
        const page = pageOf(request.query);
        const all = await repositories.list();
        setPageHeaders(request, reply, page, all.length);
        return all.slice(page.offset, page.offset + page.limit);
      },
    });

    app.post(path, {
      config,
      schema: {
        tags,
        summary: 'Add a lesson repository',
        description: 'It is not contacted. 409: another one has the address and the branch, or there are 20 already.',
        body: NewRepository,
        response: { 201: RepositorySchema, ...errors(400, 401, 403, 409, 415) },
      },
      handler: async (request, reply) =>
        await reply.code(201).send(await repositories.create(callerOf(request).id, request.body)),
    });

    app.get(`${path}/:id`, {
      config,
      schema: {
        tags,
        summary: 'One lesson repository',
        params: IdParams,
        response: { 200: RepositorySchema, ...errors(401, 403, 404) },
      },
      handler: (request) => repositories.get(request.params.id),
    });

    app.put(`${path}/:id`, {
      config,
      schema: {
        tags,
        summary: 'Change a lesson repository',
        description:
          'Omitted fields are unchanged. `key: null` removes the key. So does another `url` without a `key`: a key is sent only to the address that it was entered for.',
        params: IdParams,
        body: RepositoryChanges,
        response: { 200: RepositorySchema, ...errors(400, 401, 403, 404, 409, 415) },
      },
      handler: (request) => repositories.update(callerOf(request).id, request.params.id, request.body),
    });

    app.delete(`${path}/:id`, {
      config,
      schema: {
        tags,
        summary: 'Delete a lesson repository',
        description: 'Its key and its copy are deleted. 409 `repository_in_use`: courses read their lessons from it.',
        params: IdParams,
        response: { 200: Done, ...errors(401, 403, 404, 409) },
      },
      handler: async (request) =>
        await done(repositories.delete(callerOf(request).id, request.params.id), 'Lesson repository deleted'),
    });

    app.post(`${path}/:id/test`, {
      config,
      schema: {
        tags,
        summary: 'Test the connection to a lesson repository',
        description: 'Asks the server for the newest commit, with the stored key. Nothing is copied.',
        params: IdParams,
        response: { 200: RepositoryTestSchema, ...errors(401, 403, 404) },
      },
      handler: (request) => repositories.test(request.params.id),
    });

    app.post(`${path}/host-key`, {
      config,
      schema: {
        tags,
        summary: 'Accept the new host key of the SSH server of a lesson repository',
        description:
          'For `error_code` `host_key_replaced`, after its operator has confirmed the fingerprint. All processes accept the key and update their copies. 409 `changed_meanwhile`: the server has another key by now. 409 `conflict`: the address is not of SSH, or `LESSONS_SSH_KNOWN_HOSTS` names the accepted keys.',
        body: HostKeyAcceptance,
        response: { 200: Done, ...errors(400, 401, 403, 404, 409, 415, 503) },
      },
      handler: async (request) =>
        await done(repositories.acceptHostKey(callerOf(request).id, request.body), 'Host key accepted'),
    });

    app.post(`${path}/:id/refresh`, {
      config,
      schema: {
        tags,
        summary: 'Update a lesson repository now',
        params: IdParams,
        response: { 200: RefreshSchema, ...errors(401, 403, 404, 503) },
      },
      handler: async (request) => {
        const { commit, changed } = await repositories.refresh(request.params.id);
        return { commit, has_changed: changed };
      },
    });
  };
