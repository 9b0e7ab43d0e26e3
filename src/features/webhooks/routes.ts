import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../http/access/access.ts';
import { PageQuery, readPage } from '../../http/lists/paging.ts';
import { Done, done } from '../../http/protocol/fields.ts';
import { errors, IdParams } from '../../http/protocol/schemas.ts';
import {
  DeliveryParams,
  DeliverySchema,
  NewWebhook,
  WebhookChangesSchema,
  WebhookSchema,
  WebhookWithSecret,
} from './schema.ts';
import type { WebhookService } from './service.ts';

/** Webhooks, for administrators. Fields are read from the body only: addresses can be secret. */
export const webhookRoutes =
  (webhooks: WebhookService): FastifyPluginAsyncTypebox =>
  async (app) => {
    const path = '/api/admin/webhooks';
    const tags = ['admin'];
    const config = { access: 'admin' } as const;

    app.get(path, {
      config,
      schema: {
        ...{ tags, summary: 'The webhooks', querystring: PageQuery },
        response: { 200: Type.Array(WebhookSchema), ...errors(401, 403) },
      },
      handler: async (request, reply) => await readPage(request, reply, (page) => webhooks.list(page)),
    });

    app.post(path, {
      config,
      schema: {
        ...{ tags, summary: 'Add a webhook', body: NewWebhook },
        description:
          'It is sent what happens from now on, signed after Standard Webhooks: `{"type", "timestamp", "data"}`. 409: there are 20 already.',
        response: { 201: WebhookWithSecret, ...errors(401, 403, 409, 415) },
      },
      handler: async (request, reply) =>
        await reply.code(201).send(await webhooks.create(callerOf(request).id, request.body)),
    });

    app.patch(`${path}/:id`, {
      config,
      schema: {
        ...{ tags, summary: 'Change, pause or resume a webhook', params: IdParams, body: WebhookChangesSchema },
        description: 'Omitted fields are unchanged. `is_paused: false` also ends a pause of the service itself.',
        response: { 200: WebhookSchema, ...errors(401, 403, 404, 415) },
      },
      handler: (request) => webhooks.update(callerOf(request).id, request.params.id, request.body),
    });

    app.delete(`${path}/:id`, {
      config,
      schema: {
        ...{ tags, summary: 'Delete a webhook', params: IdParams },
        description: 'With its deliveries: what waits is not sent.',
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async (request) =>
        await done(webhooks.delete(callerOf(request).id, request.params.id), 'Webhook deleted'),
    });

    app.post(`${path}/:id/rotate-secret`, {
      config,
      schema: {
        ...{ tags, summary: 'Replace the secret of a webhook', params: IdParams },
        description: 'For a day each message has two signatures: of the new secret, and of the former one.',
        response: { 200: WebhookWithSecret, ...errors(401, 403, 404) },
      },
      handler: (request) => webhooks.rotate(callerOf(request).id, request.params.id),
    });

    app.post(`${path}/:id/test`, {
      config,
      schema: {
        ...{ tags, summary: 'Send a test event to a webhook', params: IdParams },
        description: 'Of the type `test`, also while it is paused. Its delivery shows what the receiver answers.',
        response: { 201: DeliverySchema, ...errors(401, 403, 404) },
      },
      handler: async (request, reply) => await reply.code(201).send(await webhooks.test(request.params.id)),
    });

    app.get(`${path}/:id/deliveries`, {
      config,
      schema: {
        ...{ tags, summary: 'The deliveries of a webhook, the newest first', params: IdParams, querystring: PageQuery },
        description: 'Those of the last 14 days, at most 1,000 that have ended.',
        response: { 200: Type.Array(DeliverySchema), ...errors(401, 403, 404) },
      },
      handler: async (request, reply) =>
        await readPage(request, reply, (page) => webhooks.deliveries(request.params.id, page)),
    });

    app.post(`${path}/:id/deliveries/:delivery_id/replay`, {
      config,
      schema: {
        ...{ tags, summary: 'Send a delivery again', params: DeliveryParams },
        description: 'The same message, with the same id and a new signature.',
        response: { 200: Done, ...errors(401, 403, 404) },
      },
      handler: async ({ params }) => await done(webhooks.replay(params.id, params.delivery_id), 'Delivery queued'),
    });
  };
