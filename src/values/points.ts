/** The part of its points that a check gives, `earned` of `of`: whole numbers below 1,000,000. */
export type Part = { earned: number; of: number };

/** A part of points, with two decimal places. A half is rounded up. Counted in whole hundredths: nothing is lost to a binary fraction. */
export function partOfPoints(points: number, { earned, of }: Part): number {
  const hundredths = Math.round(100 * points);
  return Math.floor((2 * hundredths * earned + of) / (2 * of)) / 100;
}

/** Exact for points with two decimal places. */
export const sumOfPoints = (points: readonly number[]): number =>
  points.reduce((sum, each) => sum + Math.round(100 * each), 0) / 100;
