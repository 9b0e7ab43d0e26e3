import type pg from 'pg';

/** What a prepared statement needs of a pool. */
export type StatementPool = Pick<pg.Pool, 'query'>;

/** What a statement whose rows are arrays needs of a pool. */
export type ArrayPool = {
  query: <Row extends unknown[]>(config: pg.QueryArrayConfig<unknown[]>) => Promise<pg.QueryArrayResult<Row>>;
};

/**
 * A statement for frequent requests. Each connection parses it once, under its name, and PostgreSQL plans it once. It runs alone, so it
 * is its own transaction, in one round trip.
 */
export class PreparedStatement<Values extends unknown[], Row extends pg.QueryResultRow> {
  readonly #name: string;
  readonly #text: string;

  /** @param name unique among all statements of the service */
  constructor(name: string, text: string) {
    this.#name = name;
    this.#text = text;
  }

  async run(pool: StatementPool, ...values: Values): Promise<Row[]> {
    return (await pool.query<Row>({ name: this.#name, text: this.#text, values })).rows;
  }
}
