import { sql } from 'kysely';
import type { Database } from '../../database/connection/connect.ts';
import type { Role } from '../../database/tables.ts';
import { writeAnnouncements } from './announcement-store.ts';
import { readCatalogue } from './catalogue-store.ts';
import { type Catalogue, emailDomain, type Hashes, type Plan } from './plan-store.ts';
import { writeSchool } from './school-store.ts';
import { writeWork } from './work-store.ts';

/** Accounts with which to log in. */
export type Accounts = { instructors: string[]; assistants: string[]; student: string };

const hasUsers =
  'This installation has users, so it gets no demonstration data: use another data folder (DATA_DIR) or database (DATABASE_URL)';

/** The data of a demonstration, in the tables of the other features. */
export class DemonstrationStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async isFilled(): Promise<boolean> {
    const row = await this.#db.selectFrom('installation').select('is_demonstration').executeTakeFirstOrThrow();
    return row.is_demonstration;
  }

  /** @throws Error where there is any user */
  async checkEmpty(): Promise<void> {
    if (await this.#db.selectFrom('users').select('id').limit(1).executeTakeFirst()) throw new Error(hasUsers);
  }

  async catalogue(): Promise<Catalogue> {
    return await readCatalogue(this.#db);
  }

  /**
   * In one transaction, which also marks the installation.
   * @throws Error where there is any user
   * @returns the ids of the exam sessions, in the order of the plan
   */
  async write(plan: Plan, hashes: Hashes): Promise<number[]> {
    return await this.#db.transaction().execute(async (trx) => {
      // No user can be created before the end of the transaction.
      await sql`lock table users in share row exclusive mode`.execute(trx);
      await new DemonstrationStore(trx).checkEmpty();
      const written = await writeSchool(trx, plan, hashes);
      written.entries.push(...(await writeAnnouncements(trx, plan.announcements, written)));
      await writeWork(trx, plan, written);
      await trx.updateTable('installation').set({ is_demonstration: true }).execute();
      return [...written.sessions.values()];
    });
  }

  /** Those of the accounts that the demonstration has made. */
  async setPasswords(administrator: string, hashes: Hashes): Promise<void> {
    for (const [role, password_hash] of Object.entries(hashes) as [Role, string][]) {
      await this.#db
        .updateTable('users')
        .set({ password_hash })
        .where('role', '=', role)
        .where(({ or, eb }) => or([eb('email', 'like', `%@${emailDomain}`), eb('username', '=', administrator)]))
        .execute();
    }
  }

  async accounts(): Promise<Accounts> {
    const users = await this.#db
      .selectFrom('users')
      .leftJoin('class_members', 'class_members.user_id', 'users.id')
      .select(['username', 'users.role', 'class_members.role as class_role'])
      .where('email', 'like', `%@${emailDomain}`)
      .orderBy('users.id')
      .execute();
    const named = (chosen: typeof users) => chosen.map(({ username }) => username);
    return {
      instructors: named(users.filter(({ role }) => role === 'instructor')),
      assistants: named(users.filter(({ class_role }) => class_role === 'assistant')),
      student: named(users.filter(({ class_role }) => class_role === 'student')).at(-1) ?? '',
    };
  }
}
