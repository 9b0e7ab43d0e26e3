import type { Generated, GeneratedAlways } from 'kysely';
import type { WebhookEvent } from '../../values/webhook-events.ts';
import type { Optional } from './columns.ts';

export type PauseReason = 'asked' | 'gone' | 'failing';

/** An address that is told what happens. */
export type WebhooksTable = {
  id: GeneratedAlways<number>;
  url: string;
  events: WebhookEvent[];
  /** Encrypted by `TextSeal`. */
  sealed_secret: Buffer;
  /** That before the last rotation, which signs as well until then. */
  sealed_old_secret: Optional<Buffer>;
  old_secret_until: Optional<Date>;
  /** Null: it is not paused. */
  pause_reason: Optional<PauseReason>;
  /** Since when no delivery has succeeded. Null: the last one did. */
  failing_since: Optional<Date>;
  created_at: Generated<Date>;
};

/** What is to be sent to a webhook, and what was sent lately. Triggers write most of them. */
export type WebhookDeliveriesTable = {
  id: GeneratedAlways<number>;
  webhook_id: number;
  /** The same for each attempt. */
  message_id: Generated<string>;
  event: WebhookEvent | 'test';
  /** As it is signed. */
  body: string;
  status: Generated<'queued' | 'delivered' | 'failed'>;
  attempts: Generated<number>;
  /** Of the next attempt. While one runs, when it counts as lost. */
  due_at: Generated<Date>;
  /** After it there is no further attempt. */
  expires_at: Generated<Date>;
  /** The status of the last answer. */
  code: Optional<number>;
  /** Why the last attempt had no answer. */
  problem: Optional<string>;
  created_at: Generated<Date>;
  ended_at: Optional<Date>;
};

/** Attempts whose results have changed and were not reported yet. A trigger writes them. */
export type WebhookResultsTable = { attempt_id: number; changed_at: Generated<Date> };
