export type Placed = { id: number; order_index: number };

/**
 * The `order_index` values of siblings in this order. The current values are kept where they are already in order. Otherwise the values
 * are numbers from 1.
 * @param found the rows of those that exist; undefined is a new one
 * @param last the highest of all siblings, including those that are not among these
 */
export function placesFor(found: readonly (Placed | undefined)[], last: number): number[] {
  const places: number[] = [];
  let before: Placed = { id: 0, order_index: Number.NEGATIVE_INFINITY };
  let free = last;
  for (const row of found) {
    if (row === undefined) {
      free += 1;
      places.push(free);
      before = { id: Number.POSITIVE_INFINITY, order_index: free };
    } else {
      const isAfter =
        row.order_index > before.order_index || (row.order_index === before.order_index && row.id > before.id);
      if (!isAfter) return found.map((_, index) => index + 1);
      places.push(row.order_index);
      before = row;
    }
  }
  return places;
}
