import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import type { Door } from '../../http/access/doors.ts';
import { PageQuery, pageOf, setPageHeaders } from '../../http/lists/paging.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors, Id } from '../../http/protocol/schemas.ts';
import type { PushService } from './push-service.ts';
import {
  HostKeyAcceptance,
  NewRepository,
  PushSecretSchema,
  RefreshSchema,
  RepositoryChanges,
  RepositorySchema,
  RepositoryTestSchema,
  type ShownRepository,
} from './schema.ts';
import type { RepositoryService } from './service.ts';

/** The repositories of lessons, behind both doors: a course has one of its own. Fields are read from the body only: addresses are logged, and keys are secret. */
export const repositoryRoutes =
  (repositories: RepositoryService, pushes: PushService, door: Door): FastifyPluginAsyncTypebox =>
  async (app) => {
    const tags = [door.tag];
    const path = `${door.tree}/repositories`;
    const [reads, changes] = [door.allows('repositories', 'read'), door.allows('repositories', 'change')];
    const withPush = async (...rows: ShownRepository[]) => {
      const known = await pushes.shown();
      return rows.map((row) => ({ ...row, ...(known.get(row.id) ?? { push_path: null, pushed_at: null }) }));
    };
    const one = async (row: Promise<ShownRepository>) => (await withPush(await row))[0] as never;
    const none = door.params({});
    const params = door.params({ id: Id });

    app.get(path, {
      config: reads,
      schema: {
        tags,
        params: none,
        summary: 'The lesson repositories, with their courses and the outcome of the last update',
        description:
          'The default repository, which the configuration names, is the first. What is known of it is of the process that answers.',
        querystring: PageQuery,
        response: { 200: Type.Array(RepositorySchema), ...door.refusals },
      },
      handler: async (request, reply) => {
        const page = pageOf(request.query);
        const all = await repositories.list(door.courseOf(request));
        setPageHeaders(request, reply, page, all.length);
        return await withPush(...all.slice(page.offset, page.offset + page.limit));
      },
    });

    app.post(path, {
      config: changes,
      schema: {
        tags,
        params: none,
        summary: 'Add a lesson repository',
        description:
          'It is not contacted. 409: another one has the address and the branch, or there are 20 already. A course has one of its own: a second is 409.',
        body: NewRepository,
        response: { 201: RepositorySchema, ...door.refusals, ...errors(400, 409, 415) },
      },
      handler: async (request, reply) =>
        await reply
          .code(201)
          .send(await one(repositories.create(callerOf(request).id, request.body, door.courseOf(request)))),
    });

    app.get(`${path}/:id`, {
      config: reads,
      schema: {
        tags,
        summary: 'One lesson repository',
        params,
        response: { 200: RepositorySchema, ...errors(401, 403, 404) },
      },
      handler: async (request) => await one(repositories.get(request.params.id, door.courseOf(request))),
    });

    app.put(`${path}/:id`, {
      config: changes,
      schema: {
        tags,
        summary: 'Change a lesson repository',
        description:
          'Omitted fields are unchanged. `key: null` removes the key. So does another `url` without a `key`: a key is sent only to the address that it was entered for.',
        params,
        body: RepositoryChanges,
        response: { 200: RepositorySchema, ...errors(400, 401, 403, 404, 409, 415) },
      },
      handler: async (request) =>
        await one(repositories.update(callerOf(request).id, request.params.id, request.body, door.courseOf(request))),
    });

    app.delete(`${path}/:id`, {
      config: door.allows('repositories', 'delete'),
      schema: {
        tags,
        summary: 'Delete a lesson repository',
        description: 'Its key and its copy are deleted. 409 `repository_in_use`: courses read their lessons from it.',
        params,
        response: { 200: Done, ...errors(401, 403, 404, 409) },
      },
      handler: async (request) =>
        await done(repositories.delete(callerOf(request).id, request.params.id), 'Lesson repository deleted'),
    });

    app.post(`${path}/:id/test`, {
      config: changes,
      schema: {
        tags,
        summary: 'Test the connection to a lesson repository',
        description: 'Asks the server for the newest commit, with the stored key. Nothing is copied.',
        params,
        response: { 200: RepositoryTestSchema, ...errors(401, 403, 404) },
      },
      handler: (request) => repositories.test(request.params.id),
    });

    app.post(`${path}/:id/refresh`, {
      config: changes,
      schema: {
        tags,
        summary: 'Update a lesson repository now',
        params,
        response: { 200: RefreshSchema, ...errors(401, 403, 404, 503) },
      },
      handler: async (request) => {
        const { commit, changed } = await repositories.refresh(request.params.id);
        return { commit, has_changed: changed };
      },
    });

    app.post(`${path}/:id/push-secret`, {
      config: changes,
      schema: {
        tags,
        summary: 'Give a lesson repository a new push secret',
        description:
          'A Git host that signs its pushes with it refreshes the repository. In the place of the former one, which is refused from then on.',
        params,
        response: { 200: PushSecretSchema, ...errors(401, 403, 404) },
      },
      handler: async (request) => {
        const { id, name } = await repositories.get(request.params.id, door.courseOf(request));
        return await pushes.renew(callerOf(request).id, { id, name });
      },
    });
  };

/** Administrators accept keys of servers, which are those of all repositories there. */
export const hostKeyRoutes =
  (repositories: RepositoryService): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post('/api/admin/lessons/repositories/host-key', {
      config: { access: 'admin' },
      schema: {
        tags: ['admin'],
        summary: 'Accept the new host key of the SSH server of a lesson repository',
        description:
          'For `error_code` `host_key_replaced`, after its operator has confirmed the fingerprint. All processes accept the key and update their copies. 409 `changed_meanwhile`: the server has another key by now. 409 `conflict`: the address is not of SSH, or `LESSONS_SSH_KNOWN_HOSTS` names the accepted keys.',
        body: HostKeyAcceptance,
        response: { 200: Done, ...errors(400, 401, 403, 404, 409, 415, 503) },
      },
      handler: async (request) =>
        await done(repositories.acceptHostKey(callerOf(request).id, request.body), 'Host key accepted'),
    });
  };
