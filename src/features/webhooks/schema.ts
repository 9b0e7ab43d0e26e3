import { Type } from 'typebox';
import { Id, Nullable, NullableTimestamp, OneOf, Timestamp } from '../../http/protocol/schemas.ts';
import { webhookEvents } from '../../values/webhook-events.ts';

const fields = {
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: 'An address of HTTPS in the internet. It is asked with POST, and redirects are not followed.',
  }),
  events: Type.Array(OneOf(...webhookEvents), {
    minItems: 1,
    maxItems: webhookEvents.length,
    uniqueItems: true,
    description:
      '`attempt.started`, `attempt.submitted`: of an exam or a laboratory. `attempt.graded`: a result has appeared or changed, once its student may see it. ' +
      '`member.added`, `member.removed`: of a class. `content.published`: a course, an exam or a laboratory is visible now, or lessons of a repository have changed, which without an id is that of the service.',
  }),
};
export const NewWebhook = Type.Object(fields, { title: 'NewWebhook' });
export const WebhookChangesSchema = Type.Partial(
  Type.Object({
    ...fields,
    is_paused: Type.Boolean({
      description: 'While it is paused, no event is written for it, and what waits is not sent.',
    }),
  }),
  { title: 'WebhookChanges' },
);

export const WebhookSchema = Type.Object(
  {
    id: Id,
    ...fields,
    pause_reason: Nullable({
      ...OneOf('asked', 'gone', 'failing'),
      description:
        'Null: it is not paused. `asked`: by an administrator. `gone`: it has answered 410. `failing`: no delivery has succeeded for three days.',
    }),
    failing_since: {
      ...NullableTimestamp,
      description: 'Since when no delivery has succeeded. Null: the last one did.',
    },
    old_secret_until: {
      ...NullableTimestamp,
      description: 'Until when the former secret signs as well. Null: there is none.',
    },
    created_at: Timestamp,
  },
  { title: 'Webhook' },
);
export const WebhookWithSecret = Type.Object(
  {
    ...WebhookSchema.properties,
    secret: Type.String({
      description: '`whsec_` and the key of HMAC-SHA256 in base64. It is stored encrypted, and never shown again.',
    }),
  },
  { title: 'WebhookWithSecret' },
);

export const DeliverySchema = Type.Object(
  {
    id: Id,
    message_id: Type.String({ description: 'The header `webhook-id`: the same for each attempt, and for a replay.' }),
    event: { ...OneOf(...webhookEvents, 'test'), description: 'What has happened.' },
    status: OneOf('queued', 'delivered', 'failed'),
    attempts: Type.Integer({ description: 'How often it was sent since it was written or replayed.' }),
    code: Nullable(Type.Integer({ description: 'The HTTP status of the last answer. Null: none.' })),
    problem: Nullable(
      Type.String({
        description:
          'Why the last attempt had no answer: `private` (no public address), `insecure`, `too_large`, `timeout`, `unreachable`, `secret` (it cannot be decrypted). Null: it had one.',
      }),
    ),
    created_at: Timestamp,
    due_at: { ...Timestamp, description: 'Of the next attempt while it is queued.' },
    ended_at: { ...NullableTimestamp, description: 'When it was delivered or given up. Null: it is queued.' },
  },
  { title: 'WebhookDelivery' },
);
export const DeliveryParams = Type.Object({ id: Id, delivery_id: { ...Id, description: 'Identifies the delivery.' } });
