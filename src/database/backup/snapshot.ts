import type pg from 'pg';
import { type DatabaseAddress, newClient } from '../connection/connect.ts';

export type SnapshotTable = { name: string; columns: string[] };
export type SequenceState = { name: string; last: string; isCalled: boolean };

/** Tables that a schema before migration 0101 has. Its triggers write them, also where a backup is restored. */
export const formerCounts = ['attempt', 'activity', 'user']
  .flatMap((list) => [`${list}_counts`, `${list}_count_changes`])
  .concat('student_counts');

/**
 * Tables that are not backed up: those about the engine, those that describe the installation instead of its content, the versions of
 * progress and former counts, which the rows themselves create again, the texts for the search, which are read again, and the evidence of
 * attempts, whose files are large and kept for some days only. A restored installation accepts no login from before, so cookies, logins and views of students are left out as well,
 * and so is what mails and webhooks say: it would be sent again.
 */
const leftOut = [
  'containers',
  'hands',
  'terminals',
  'installation',
  'kysely_migration',
  'kysely_migration_lock',
  ...formerCounts,
  'lesson_texts',
  'progress_versions',
  'login_cookies',
  'logins',
  'student_views',
  'attempt_evidence',
  'mails',
  'mail_tokens',
  'exam_plans',
  'webhook_deliveries',
  'webhook_results',
];
/** Approximate bytes and maximum number of rows in memory. One row can have a megabyte. */
const batch = { bytes: 1024 * 1024, rows: 1000 };

/**
 * A consistent snapshot of all tables while others write: one transaction of the isolation level repeatable read. Rows are JSON,
 * one per line, so the backup depends neither on PostgreSQL's programs nor on its version.
 */
export class Snapshot implements AsyncDisposable {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** @throws Error if the database does not contain our tables */
  static async open(address: DatabaseAddress): Promise<Snapshot> {
    const client = newClient(address);
    // The next statement reports a broken connection.
    client.on('error', () => {});
    await client.connect();
    const snapshot = new Snapshot(client);
    try {
      await client.query('begin isolation level repeatable read read only');
      await client.query('set local idle_in_transaction_session_timeout = 0; set local statement_timeout = 0');
      const { rows } = await client.query<{ table: string | null }>(`select to_regclass('kysely_migration') as table`);
      if (!rows[0]?.table) throw new Error('The database contains no data of the service: there is nothing to back up');
      // Prevents migrations until the end.
      const names = (await snapshot.tables()).map(({ name }) => `"${name}"`);
      await client.query(`lock table ${names.join(', ')} in access share mode`);
      return snapshot;
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  /** In an order in which no table refers to a later one. */
  async tables(): Promise<SnapshotTable[]> {
    const { rows } = await this.#client.query<SnapshotTable & { refers: string[] }>(
      `select relname as name,
        array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
          order by attnum) as columns,
        array(select distinct confrelid::regclass::text from pg_constraint
          where conrelid = c.oid and contype = 'f' and confrelid <> c.oid) as refers
      from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> all ($1) order by relname`,
      [leftOut],
    );
    return inOrder(rows);
  }

  /** @returns batches of JSON lines */
  async *rows(table: string): AsyncGenerator<string[]> {
    await this.#client.query(`declare rows no scroll cursor for select row_to_json(t)::text as line from "${table}" t`);
    let count = 100;
    for (;;) {
      const { rows } = await this.#client.query<{ line: string }>(`fetch ${count} from rows`);
      if (rows.length === 0) break;
      const lines = rows.map(({ line }) => line);
      const bytes = lines.reduce((sum, line) => sum + line.length, 0);
      yield lines;
      count = Math.max(1, Math.min(batch.rows, 2 * count, Math.floor((batch.bytes * lines.length) / bytes)));
    }
    await this.#client.query('close rows');
  }

  /** Prevents reuse of ids, even of deleted rows. Read after the rows. */
  async sequences(): Promise<SequenceState[]> {
    const names = await this.#column(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' order by relname`,
    );
    const states: SequenceState[] = [];
    for (const name of names) {
      const { rows } = await this.#client.query<{ last: string; called: boolean }>(
        `select last_value::text as last, is_called as called from "${name}"`,
      );
      states.push({ name, last: rows[0]?.last ?? '1', isCalled: rows[0]?.called ?? false });
    }
    return states;
  }

  async migrations(): Promise<string[]> {
    return await this.#column('select name from kysely_migration order by name');
  }

  /** Random keys by which rows name files in the data folder. Empty for a schema from before such a table. */
  async avatarKeys(): Promise<string[]> {
    const users = await this.#column('select avatar_key from users where avatar_key is not null order by id');
    if (!(await this.#has('site'))) return users;
    return [...users, ...(await this.#column('select logo_key from site where logo_key is not null'))];
  }

  async recordingKeys(): Promise<string[]> {
    return (await this.#has('recordings')) ? await this.#column('select key from recordings order by id') : [];
  }

  async serverVersion(): Promise<string> {
    return (await this.#column('show server_version'))[0] ?? '';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end();
  }

  async #has(table: string): Promise<boolean> {
    return (await this.#column(`select 'x' where to_regclass('${table}') is not null`)).length > 0;
  }

  async #column(text: string): Promise<string[]> {
    const { rows } = await this.#client.query<string[]>({ text, rowMode: 'array' });
    return rows.map(([value]) => value ?? '');
  }
}

function inOrder(tables: (SnapshotTable & { refers: string[] })[]): SnapshotTable[] {
  const ordered: SnapshotTable[] = [];
  const left = new Map(tables.map((table) => [table.name, table]));
  while (left.size > 0) {
    const next = [...left.values()].find(({ refers }) => !refers.some((name) => left.has(name)));
    if (!next) throw new Error(`These tables refer to each other in a circle: ${[...left.keys()].join(', ')}`);
    ordered.push({ name: next.name, columns: next.columns });
    left.delete(next.name);
  }
  return ordered;
}
