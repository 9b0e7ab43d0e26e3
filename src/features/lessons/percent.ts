/** With one decimal, rounded down, so that only a complete part is 100. */
export const percentOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.floor((1000 * part) / whole) / 10;
