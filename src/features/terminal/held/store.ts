import { type Selectable, sql } from 'kysely';
import type { Database } from '../../../database/connection/connect.ts';
import type { TerminalsTable } from '../../../database/tables.ts';

type Size = { cols: number; rows: number };

export type HeldRow = Omit<Selectable<TerminalsTable>, 'picture_at' | 'helper_bytes'> & {
  picture_at: number;
  helper_bytes: number;
};

/** Shells that outlive the process that serves them. */
export class HeldStore {
  readonly #db: Database;
  readonly #processId: number;

  constructor(db: Database, processId: number) {
    this.#db = db;
    this.#processId = processId;
  }

  /** Does nothing where the container or its user no longer exists. */
  async add(shell: { id: string; container_id: number; user_id: number; holder: string } & Size): Promise<void> {
    const { id, container_id, user_id, holder, cols, rows } = shell;
    await sql`insert into terminals (id, container_id, user_id, process_id, holder, cols, rows)
      select ${id}, containers.id, users.id, ${this.#processId}, ${holder}, ${cols}, ${rows} from containers, users
      where containers.id = ${container_id} and users.id = ${user_id}`.execute(this.#db);
  }

  /**
   * Makes this process the one that serves a shell: the one with the id, or without an id the newest of the container. The process that
   * served it loses the connection to the holder.
   */
  async take(containerId: number, id: string | undefined, userId?: number): Promise<HeldRow | undefined> {
    const { rows } = await sql<HeldRow>`update terminals set process_id = ${this.#processId} where id = (
        select id from terminals where container_id = ${containerId} and (${id ?? null}::text is null or id = ${id ?? null})
          and (${userId ?? null}::integer is null or user_id = ${userId ?? null})
        order by begun_at desc limit 1)
      returning *`.execute(this.#db);
    return rows.map(withNumber)[0];
  }

  /** The same for a shell that no living process serves, unless another process was first. */
  async adoptOrphans(id: string, before: number | null): Promise<HeldRow | undefined> {
    const { rows } = await sql<HeldRow>`update terminals set process_id = ${this.#processId}
      where id = ${id} and process_id is not distinct from ${before}::integer returning *`.execute(this.#db);
    return rows.map(withNumber)[0];
  }

  /** The shells that no process serves, and those of the given processes, in the order of their start. */
  async left(processIds: readonly number[]): Promise<{ id: string; process_id: number | null }[]> {
    return await this.#db
      .selectFrom('terminals')
      .select(['id', 'process_id'])
      .where((where) => where.or([where('process_id', 'is', null), where('process_id', 'in', [-1, ...processIds])]))
      .orderBy('begun_at')
      .execute();
  }

  async ofContainer(containerId: number): Promise<{ id: string; begun_at: Date }[]> {
    return await this.#db
      .selectFrom('terminals')
      .select(['id', 'begun_at'])
      .where('container_id', '=', containerId)
      .execute();
  }

  /** Does nothing where another process serves the shell by now. */
  async keepScreen(id: string, { cols, rows, picture, at }: Size & { picture: Buffer; at: number }): Promise<void> {
    await this.#own(id).set({ cols, rows, picture, picture_at: at }).execute();
  }

  /** The same. @param bytes of input of those who have typed along */
  async keepHelperBytes(id: string, bytes: number): Promise<void> {
    await this.#own(id).set({ helper_bytes: bytes }).execute();
  }

  /** From now on any process may serve the shell. */
  async release(id: string): Promise<void> {
    await this.#own(id).set({ process_id: null }).execute();
  }

  /** The shell has ended. */
  async remove(id: string): Promise<void> {
    await this.#db.deleteFrom('terminals').where('id', '=', id).where('process_id', '=', this.#processId).execute();
  }

  #own(id: string) {
    return this.#db.updateTable('terminals').where('id', '=', id).where('process_id', '=', this.#processId);
  }
}

/** PostgreSQL's 64-bit numbers are read as text. */
const withNumber = (row: HeldRow): HeldRow => ({
  ...row,
  picture_at: Number(row.picture_at),
  helper_bytes: Number(row.helper_bytes),
});
