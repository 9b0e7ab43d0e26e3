import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { Done } from '../../http/protocol/fields.ts';
import { bytesOf } from '../../http/protocol/media-types.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import type { PushService } from './push-service.ts';
import { PushSecretSchema } from './schema.ts';

/** GitHub sends up to 2,048 commits with a push. */
const maxBytes = 4 * 1024 * 1024;

/** The pushes that Git hosts report, and the secret for those of the repository of the service. */
export const pushRoutes =
  (pushes: PushService): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post('/api/admin/lessons/repositories/default/push-secret', {
      config: { access: 'admin' },
      schema: {
        ...{ tags: ['admin'], summary: 'Give the default lesson repository a new push secret' },
        description: 'In the place of the former one, which is refused from then on.',
        response: { 200: PushSecretSchema, ...errors(401, 403) },
      },
      handler: (request) => pushes.renew(callerOf(request).id, { id: null, name: '' }),
    });

    // Only this route reads JSON as bytes: they are what is signed.
    await app.register(async (hooks: typeof app) => {
      hooks.removeContentTypeParser('application/json');
      hooks.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
      hooks.post('/api/hooks/content/:id', {
        bodyLimit: maxBytes,
        config: { access: 'public' },
        schema: {
          ...{ tags: ['lessons'], summary: 'Report a push to a lesson repository', params: IdParams },
          description:
            'For webhooks of GitHub, GitLab, Gitea and Forgejo, as JSON, with the push secret of the repository. 202: the push is of the branch that the service follows, and the repository is refreshed now. ' +
            '200: there is nothing to do, because it is another event, another branch or a repetition. 401: the signature or the token is wrong, or there is no such secret. The headers are `X-Hub-Signature-256`, `X-Gitea-Signature`, `X-Gitlab-Token` or, for signing tokens, those of Standard Webhooks.',
          body: Type.Unsafe<Buffer>({
            title: 'PushReport',
            description: 'What the host sends. It is read after its signature.',
          }),
          response: { 200: Done, 202: Done, ...errors(401, 404, 413, 415) },
        },
        handler: async (request, reply) => {
          const { headers, params } = request;
          const isRefreshed = await pushes.receive(params.id, headers, bytesOf(request));
          return isRefreshed
            ? await reply.code(202).send({ detail: 'The repository is refreshed' })
            : { detail: 'There is nothing to do' };
        },
      });
    });
  };
