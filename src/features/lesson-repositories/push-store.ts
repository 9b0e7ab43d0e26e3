import { type Selectable, sql } from 'kysely';
import { logActivity } from '../../database/activity-log.ts';
import type { Database } from '../../database/connection/connect.ts';
import type { PushSecretsTable } from '../../database/tables.ts';

export type PushSecretRow = Selectable<PushSecretsTable>;

/** Days for which a push that was taken is remembered. */
const rememberedDays = 30;

/** The secrets with which Git hosts sign pushes, and the pushes that were taken. */
export class PushStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** By the id of the repository, null for that of the service. */
  async all(): Promise<Map<number | null, PushSecretRow>> {
    const rows = await this.#db.selectFrom('push_secrets').selectAll().execute();
    return new Map(rows.map((row) => [row.repository_id, row]));
  }

  async byId(id: number): Promise<(PushSecretRow & { branch: string | null }) | undefined> {
    const rows = this.#db.selectFrom('push_secrets').leftJoin('lesson_repositories as r', 'r.id', 'repository_id');
    return await rows.selectAll('push_secrets').select('r.branch').where('push_secrets.id', '=', id).executeTakeFirst();
  }

  /** Gives a repository a secret, in the place of its former one. @param seal for the id of the row */
  async put(
    actorId: number,
    { id: repository_id, name }: { id: number | null; name: string },
    seal: (id: number) => Buffer,
  ): Promise<number> {
    return await this.#db.transaction().execute(async (trx) => {
      const { id } = await trx
        .insertInto('push_secrets')
        .values({ repository_id, sealed_secret: Buffer.alloc(0) })
        // Without a change the row would not be returned.
        .onConflict((conflict) => conflict.constraint('push_secrets_repository').doUpdateSet({ pushed_at: null }))
        .returning('id')
        .executeTakeFirstOrThrow();
      await trx
        .updateTable('push_secrets')
        .set({ sealed_secret: seal(id) })
        .where('id', '=', id)
        .execute();
      const act = { actorId, type: 'admin_lesson_repository_update', title: name, entityType: 'lesson_repository' };
      await logActivity(trx, { ...act, entityId: repository_id, details: { has_new_push_secret: true } });
      return id;
    });
  }

  /** Remembers a push. @returns whether none of its digests was there */
  async take(id: number, digests: readonly string[]): Promise<boolean> {
    return await this.#db.transaction().execute(async (trx) => {
      const { rows } = await sql`insert into taken_pushes (push_secret_id, digest)
        select ${id}, digest from unnest(${digests}::text[]) as digest on conflict do nothing returning 1`.execute(trx);
      const isNew = rows.length === digests.length;
      if (isNew) await sql`update push_secrets set pushed_at = now() where id = ${id}`.execute(trx);
      await sql`delete from taken_pushes where taken_at < now() - make_interval(days => ${rememberedDays})`.execute(
        trx,
      );
      return isNew;
    });
  }
}
