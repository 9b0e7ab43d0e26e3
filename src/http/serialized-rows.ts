/** Serialised rows of a list whose unchanged rows are the same objects again: a text lives as long as its row. */
export class SerializedRows<Row extends object> {
  readonly #texts = new WeakMap<Row, string>();

  /** The list as JSON. @param serialize is not called for rows that it has serialised */
  array(rows: readonly Row[], serialize: (row: Row) => string): string {
    const texts = rows.map((row) => {
      const known = this.#texts.get(row);
      if (known !== undefined) return known;
      const text = serialize(row);
      this.#texts.set(row, text);
      return text;
    });
    return `[${texts.join()}]`;
  }
}
