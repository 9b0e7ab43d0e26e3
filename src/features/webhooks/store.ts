import { type Selectable, sql, type Transaction } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import type { Database } from '../../database/connection/connect.ts';
import { hasShownResults, isCounted } from '../../database/exam-session-rules.ts';
import type { Page } from '../../database/lists/keyset.ts';
import { lock } from '../../database/locks.ts';
import type { PauseReason, Tables, WebhookDeliveriesTable, WebhooksTable } from '../../database/tables.ts';
import { ConflictError, found } from '../../errors.ts';
import type { WebhookEvent } from '../../values/webhook-events.ts';

export type WebhookRow = Selectable<WebhooksTable>;
export type DeliveryRow = Selectable<WebhookDeliveriesTable>;
export type DueDelivery = DeliveryRow & Pick<WebhookRow, 'url' | 'sealed_secret' | 'sealed_old_secret'>;
export type WebhookFields = { url: string; events: WebhookEvent[] };
export type WebhookChanges = Partial<WebhookFields & { is_paused: boolean }>;

/** Enough for one installation: each of them is asked about every event. */
const maxWebhooks = 20;
/** Seconds after which an attempt counts as lost: longer than its timeout. */
const leaseSeconds = 60;
/** Of the wait between two attempts. */
const maxRetrySeconds = 8 * 3600;
/** Days for which a webhook may fail before it is paused. */
const daysOfFailure = 3;
/** Deliveries that have ended are listed so long, and so many for each webhook; so many wait. */
const [keptDays, maxEnded, maxQueued] = [14, 1000, 10_000];
/** Results that one round reports in one transaction. */
const batch = 500;

/** Webhooks, and the queue of what is sent to them. */
export class WebhookStore {
  readonly #db: Database;
  readonly #retrySeconds: number;

  /** @param retrySeconds before the second attempt; each further wait is six times as long */
  constructor(db: Database, retrySeconds: number) {
    [this.#db, this.#retrySeconds] = [db, retrySeconds];
  }

  async list({ limit, offset }: Page): Promise<{ rows: WebhookRow[]; total: number }> {
    const total = sql<number>`count(*)::int`.as('total');
    const counted = await this.#db.selectFrom('webhooks').select(total).executeTakeFirstOrThrow();
    const rows = this.#db.selectFrom('webhooks').selectAll().orderBy('id').limit(limit).offset(offset);
    return { rows: await rows.execute(), ...counted };
  }

  /** @throws NotFoundError */
  async get(id: number): Promise<WebhookRow> {
    const row = this.#db.selectFrom('webhooks').selectAll().where('id', '=', id);
    return found(await row.executeTakeFirst(), 'Webhook');
  }

  /** @param seal for the id of the row @throws ConflictError for one too many */
  async create(actorId: number, fields: WebhookFields, seal: (id: number) => Buffer): Promise<WebhookRow> {
    return await this.#db.transaction().execute(async (trx) => {
      await lock(trx, 'webhooks');
      const { id, total } = await trx
        .selectNoFrom([
          sql<number>`nextval(pg_get_serial_sequence('webhooks', 'id'))::int`.as('id'),
          sql<number>`(select count(*)::int from webhooks)`.as('total'),
        ])
        .executeTakeFirstOrThrow();
      if (total >= maxWebhooks) throw new ConflictError('conflict', `There are ${maxWebhooks} webhooks already`);
      const { rows } = await sql<WebhookRow>`insert into webhooks (id, url, events, sealed_secret)
        overriding system value values (${id}, ${fields.url}, ${fields.events}, ${seal(id)}) returning *`.execute(trx);
      const row = found(rows[0], 'Webhook');
      await log(trx, actorId, 'create', row, { new: { events: row.events } });
      return row;
    });
  }

  /** @throws NotFoundError */
  async update(actorId: number, id: number, { is_paused, ...fields }: WebhookChanges): Promise<WebhookRow> {
    const pause_reason: PauseReason | null = is_paused ? 'asked' : null;
    const state = is_paused === undefined ? {} : { pause_reason, failing_since: null };
    return await this.#change(
      actorId,
      id,
      { ...fields, ...state },
      { new: { events: fields.events, is_paused, has_new_url: fields.url !== undefined } },
    );
  }

  /** The former secret signs as well for a day. @throws NotFoundError */
  async rotate(actorId: number, id: number, sealed_secret: Buffer): Promise<WebhookRow> {
    const former = {
      sealed_old_secret: sql<Buffer>`sealed_secret`,
      old_secret_until: sql<Date>`now() + interval '1 day'`,
    };
    return await this.#change(actorId, id, { sealed_secret, ...former }, { has_new_secret: true });
  }

  async #change(actorId: number, id: number, values: object, details: Record<string, unknown>): Promise<WebhookRow> {
    return await this.#db.transaction().execute(async (trx) => {
      const query = trx.updateTable('webhooks').where('id', '=', id);
      const changed =
        Object.keys(values).length === 0
          ? trx.selectFrom('webhooks').selectAll().where('id', '=', id)
          : query.set(values).returningAll();
      const row = found(await changed.executeTakeFirst(), 'Webhook');
      if ('pause_reason' in values) await trx.deleteFrom('notifications').where('webhook_id', '=', id).execute();
      await log(trx, actorId, 'update', row, details);
      return row;
    });
  }

  /** With its deliveries and notifications. @throws NotFoundError */
  async delete(actorId: number, id: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const query = trx.deleteFrom('webhooks').where('id', '=', id).returningAll();
      const row = found(await query.executeTakeFirst(), 'Webhook');
      await log(trx, actorId, 'delete', row, { old: { events: row.events } });
    });
  }

  /** Queues a test, also for a webhook that is paused: it tells whether it can go on. @throws NotFoundError */
  async addTest(id: number): Promise<DeliveryRow> {
    const { id: webhook_id } = await this.get(id);
    const body = JSON.stringify({ type: 'test', timestamp: new Date(), data: { webhook_id } });
    const query = this.#db.insertInto('webhook_deliveries').values({ webhook_id, event: 'test', body });
    return await query.returningAll().executeTakeFirstOrThrow();
  }

  /** Newest first. @throws NotFoundError */
  async deliveries(webhookId: number, { limit, offset }: Page): Promise<{ rows: DeliveryRow[]; total: number }> {
    await this.get(webhookId);
    const of = this.#db.selectFrom('webhook_deliveries').where('webhook_id', '=', webhookId);
    const counted = await of.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
    return { rows: await of.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute(), ...counted };
  }

  /** Sends it again, with the same id and body. @throws NotFoundError */
  async replay(webhookId: number, id: number): Promise<void> {
    const { rows } = await sql`update webhook_deliveries set status = 'queued', ended_at = null, attempts = 0,
        due_at = clock_timestamp(), expires_at = clock_timestamp() + interval '1 day'
      where webhook_id = ${webhookId} and id = ${id} returning 1`.execute(this.#db);
    found(rows[0], 'Delivery');
  }

  /** Takes one delivery that is due: no other process takes it meanwhile. @param busy hosts that have enough requests already */
  async take(busy: readonly string[]): Promise<DueDelivery | undefined> {
    const { rows } = await sql<DueDelivery>`with taken as (
        update webhook_deliveries set attempts = attempts + 1, due_at = now() + make_interval(secs => ${leaseSeconds})
        where id = (
          select one.id from webhook_deliveries as one join webhooks as hook on hook.id = one.webhook_id
          where one.status = 'queued' and one.due_at <= now() and (hook.pause_reason is null or one.event = 'test')
            and split_part(hook.url, '/', 3) <> all(${busy}::text[])
          order by one.due_at, one.id limit 1 for update of one skip locked)
        returning *
      ) select taken.*, hook.url, hook.sealed_secret,
        case when hook.old_secret_until > now() then hook.sealed_old_secret end as sealed_old_secret
      from taken join webhooks as hook on hook.id = taken.webhook_id`.execute(this.#db);
    return rows[0];
  }

  /** Gives it back unsent, when the process ends. */
  async giveBack(id: number): Promise<void> {
    await sql`update webhook_deliveries set due_at = now(), attempts = attempts - 1
      where id = ${id} and status = 'queued'`.execute(this.#db);
  }

  async markDelivered({ id, webhook_id }: DeliveryRow, code: number): Promise<void> {
    await sql`with hook as (update webhooks set failing_since = null where id = ${webhook_id} and failing_since is not null)
      update webhook_deliveries set status = 'delivered', ended_at = now(), code = ${code}, problem = null where id = ${id}`.execute(
      this.#db,
    );
  }

  /**
   * Plans the next attempt, or ends the delivery. A webhook that is gone, or has failed for days, is paused, and administrators are
   * notified.
   * @returns why the webhook was paused
   */
  async markFailed(
    { id, webhook_id }: DeliveryRow,
    { code, problem, retryAfter }: { code: number | null; problem: string | null; retryAfter: number },
  ): Promise<PauseReason | undefined> {
    const wait = sql`least(${maxRetrySeconds}, ${this.#retrySeconds} * 6.0 ^ least(20, attempts - 1)) * (1 + random() / 10)`;
    const next = sql`now() + make_interval(secs => greatest(${retryAfter}::float8, ${wait}))`;
    const isGone = code === 410;
    return await this.#db.transaction().execute(async (trx) => {
      await sql`update webhook_deliveries set code = ${code}, problem = ${problem}, due_at = ${next},
          status = case when ${isGone} or ${next} > expires_at then 'failed' else status end,
          ended_at = case when ${isGone} or ${next} > expires_at then now() end
        where id = ${id} and status = 'queued'`.execute(trx);
      const { rows } = await sql<{ pause_reason: PauseReason; url: string }>`update webhooks set
          failing_since = coalesce(failing_since, now()),
          pause_reason = case when ${isGone} then 'gone'
            when failing_since < now() - make_interval(days => ${daysOfFailure}) then 'failing' end
        where id = ${webhook_id} and pause_reason is null returning id, url, pause_reason`.execute(trx);
      const [row] = rows;
      if (!row?.pause_reason) return undefined;
      await log(trx, null, 'pause', { id: webhook_id, url: row.url }, { reason: row.pause_reason });
      await sql`insert into notifications (user_id, key, kind, webhook_id)
        select id, 'webhook:' || ${webhook_id}::int, 'webhook', ${webhook_id} from users where id > 0 and role = 'admin' and is_active`.execute(
        trx,
      );
      return row.pause_reason;
    });
  }

  /**
   * Reports the results that have changed and that their students may see. The others wait for their release, and for people who grade.
   * @returns how many there were
   */
  async writeResults(): Promise<number> {
    return await this.#db.transaction().execute(async (trx) => {
      // Alone: the next statement sees what the transactions have written that held these rows.
      const due = await sql<{ attempt_id: number }>`select result.attempt_id from webhook_results as result
        join attempts on attempts.id = result.attempt_id where ${sql.raw(hasShownResults)}
        order by result.attempt_id limit ${batch} for update of result skip locked`.execute(trx);
      const ids = due.rows.map(({ attempt_id }) => attempt_id);
      if (ids.length === 0) return 0;
      await sql`delete from webhook_results where attempt_id = any(${ids}::int[])`.execute(trx);
      await sql`select write_webhooks('attempt.graded', webhook_attempt(attempts) || jsonb_build_object('score', score,
          'max_score', max_score, 'passed', passed, 'is_counted', ${isCounted}))
        from attempts where id = any(${ids}::int[]) and status in ('finished', 'expired') and not is_awaiting_grading order by id`.execute(
        trx,
      );
      return ids.length;
    });
  }

  /** Deletes old deliveries, and what waits beyond the limit of a webhook. */
  async clean(): Promise<void> {
    await sql`delete from webhook_deliveries where ended_at < now() - make_interval(days => ${keptDays})`.execute(
      this.#db,
    );
    await sql`delete from webhook_deliveries using (
        select id, row_number() over (partition by webhook_id, status = 'queued' order by id desc) as place from webhook_deliveries
      ) as kept where kept.id = webhook_deliveries.id and place > case status when 'queued' then ${maxQueued}::int else ${maxEnded}::int end`.execute(
      this.#db,
    );
    await sql`update webhooks set sealed_old_secret = null, old_secret_until = null where old_secret_until < now()`.execute(
      this.#db,
    );
  }
}

/** Of an address only the host, because its path can be a secret. @param actorId null: the service itself */
async function log(
  trx: Transaction<Tables>,
  actorId: number | null,
  verb: 'create' | 'update' | 'delete' | 'pause',
  { id: entityId, url }: Pick<WebhookRow, 'id' | 'url'>,
  details: Record<string, unknown>,
): Promise<void> {
  const act = { actorId, type: `admin_webhook_${verb}`, title: new URL(url).host, entityType: 'webhook' };
  await logActivity(trx, { ...act, entityId, details });
}
