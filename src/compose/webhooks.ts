import { outsideFetch, problemOfAddress } from '../../packages/outside-requests/outside-fetch.ts';
import { TextSeal } from '../database/sealed-text.ts';
import { WebhookService } from '../features/webhooks/service.ts';
import { WebhookStore } from '../features/webhooks/store.ts';
import type { DatabaseParts } from './database.ts';
import type { Surroundings } from './parts.ts';

/** Of the answer of a receiver, of which only the status counts. */
const maxBytes = 64 * 1024;
/** For one request. */
const timeoutMs = 15_000;

/** Webhooks. Without any nothing is written and nothing is sent. */
export function composeWebhooks(
  { config, log, cleanup }: Surroundings,
  { db }: DatabaseParts,
  secretKey: string,
): WebhookService {
  const { allowsPrivateProviders: allowsPrivate } = config;
  return cleanup.use(
    new WebhookService({
      store: new WebhookStore(db, config.webhooks.retrySeconds),
      seal: new TextSeal(secretKey),
      fetch: outsideFetch({ allowsPrivate, maxBytes, timeoutMs }),
      isAllowed: (url) => problemOfAddress(url, allowsPrivate) === undefined,
      log,
    }),
  );
}
