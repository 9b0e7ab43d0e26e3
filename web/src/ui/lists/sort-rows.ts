import type { Direction } from './sort-head.tsx';

/** What rows are sorted by: texts in the order of the language, numbers by size. Nothing comes last in either direction. */
export type Sortable = string | number | boolean | null | undefined;

/** The rows in an order. Rows with equal values keep theirs. */
export function inOrder<Row>(rows: readonly Row[], of: (row: Row) => Sortable, direction: Direction): Row[] {
  const sign = direction === 'asc' ? 1 : -1;
  return rows.toSorted((a, b) => {
    const [one, other] = [of(a) ?? null, of(b) ?? null];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    if (typeof one === 'string' && typeof other === 'string')
      return sign * one.localeCompare(other, document.documentElement.lang, { numeric: true });
    return sign * (Number(one) - Number(other));
  });
}
