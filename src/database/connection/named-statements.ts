import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';

type Query = (text: unknown, values?: readonly unknown[]) => Promise<never>;

/** Statements that get a name. Each connection of the server holds the plans of all that it has run. */
const mostNames = 300;
/** Texts that are counted. Texts with lists of values differ in length, and most never repeat. */
const mostTexts = 2000;
/** Runs of a text until it gets a name. */
const usesBefore = 3;
const named = /^(select|with|insert|update|delete)\b/i;
/** The plan of a list or a search depends on its values: with a name it could be one that fits none. */
const dependsOnValues = /\blimit\b|\bi?like\b|\boffset\b/i;

/**
 * Names the statements that a process repeats, so that PostgreSQL parses and plans each once a connection. Planning takes up to five
 * times as long as running (bench/README.md).
 */
export class NamedStatements {
  readonly #uses = new Map<string, number>();
  readonly #names = new Map<string, string>();

  /** The pool, with names for the statements of its clients. */
  over(pool: pg.Pool): PostgresPool {
    const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
    return {
      connect: async () => {
        const client = await pool.connect();
        const known = clients.get(client) ?? this.#naming(client);
        clients.set(client, known);
        return known;
      },
      end: () => pool.end(),
      options: pool.options,
    };
  }

  /** @returns undefined for a statement without a name */
  nameOf(text: string): string | undefined {
    const name = this.#names.get(text);
    if (name !== undefined || this.#names.size >= mostNames) return name;
    const uses = (this.#uses.get(text) ?? 0) + 1;
    if (uses <= usesBefore) {
      if (this.#uses.size >= mostTexts) this.#uses.clear();
      this.#uses.set(text, uses);
      return undefined;
    }
    this.#uses.delete(text);
    if (!named.test(text) || dependsOnValues.test(text)) return undefined;
    this.#names.set(text, `s${this.#names.size}`);
    return this.#names.get(text);
  }

  #naming(client: pg.PoolClient): PostgresPoolClient {
    let isStale = false;
    const query: Query = async (text, values) => {
      const name = typeof text === 'string' && values && values.length > 0 ? this.nameOf(text) : undefined;
      const run = client.query.bind(client) as unknown as Query;
      if (name === undefined) return await run(text, values);
      try {
        return await run({ name, text, values });
      } catch (error) {
        // A migration has changed a table: the connection's plans no longer fit.
        if (error instanceof Error && /cached plan must not change/.test(error.message)) isStale = true;
        throw error;
      }
    };
    return { query, release: () => client.release(isStale) } as unknown as PostgresPoolClient;
  }
}
