import type { Static } from 'typebox';
import { rounded, sum } from './grade-rules.ts';
import type { StatisticsSchema } from './grades-schema.ts';

/** The result of one student in a task, and in the whole exam or laboratory. Parts of the maximum, from 0 to 1. */
export type TaskAnswer = {
  part: number;
  /** Of all tasks. */
  total: number;
  /** Of the other tasks; undefined if there are none. */
  rest: number | undefined;
};
type Distribution = Pick<
  Static<typeof StatisticsSchema>,
  'count' | 'mean' | 'median' | 'deviation' | 'lowest' | 'highest' | 'bins'
>;

const width = 10;
/** Kelley, "The selection of upper and lower groups for the validation of test items", Journal of Educational Psychology 30 (1939), 17-24. */
const group = 0.27;
/** Groups of 27 % have two students from here on. */
const fewest = 6;

/** The distribution of percentages from 0 to 100. A bin includes its lower limit, the last one also 100. */
export function distributionOf(percentages: readonly number[]): Distribution {
  const bins = Array.from({ length: 100 / width }, (_, index) => ({
    ...{ from: index * width, to: (index + 1) * width, count: 0 },
  }));
  for (const percent of percentages) {
    const bin = bins[Math.max(0, Math.min(bins.length - 1, Math.floor(percent / width)))];
    if (bin) bin.count += 1;
  }
  const count = percentages.length;
  if (count === 0) return { count, mean: null, median: null, deviation: null, lowest: null, highest: null, bins };
  const mean = sum(percentages) / count;
  const variance = sum(percentages.map((percent) => (percent - mean) ** 2)) / count;
  return {
    ...{
      count,
      mean: rounded(mean),
      median: rounded(medianOf(percentages) ?? 0),
      deviation: rounded(Math.sqrt(variance)),
    },
    ...{ lowest: rounded(Math.min(...percentages)), highest: rounded(Math.max(...percentages)) },
    bins,
  };
}

export function medianOf(numbers: readonly number[]): number | undefined {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const [lower, upper] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]];
  return lower === undefined || upper === undefined ? undefined : (lower + upper) / 2;
}

/** The facility index: the mean part of the points, which is the part of students who solved a task. 1 is the easiest. */
export const difficultyOf = (answers: readonly TaskAnswer[]): number =>
  rounded(sum(answers.map(({ part }) => part)) / answers.length);

/**
 * The discrimination index: the difficulty among the best 27 % of the students less that among the worst 27 %, by their totals (Kelley, as
 * above; Ebel, "Measuring educational achievement", 1965, takes from 0.4 for very good, below 0.2 for poor). Of those with equal totals at
 * the limit of a group, each counts in part.
 * @returns from -1 to 1; null with fewer than six students, or if all have the same total
 */
export function discriminationOf(answers: readonly TaskAnswer[]): number | null {
  if (answers.length < fewest || answers.every(({ total }) => total === answers[0]?.total)) return null;
  const size = Math.round(group * answers.length);
  const upper = answers.toSorted((a, b) => b.total - a.total);
  return rounded(meanOfFirst(upper, size) - meanOfFirst(upper.toReversed(), size));
}

/** The mean of the first ones. Those who tie with the last of them share the places that are left. */
function meanOfFirst(sorted: readonly TaskAnswer[], size: number): number {
  const limit = sorted[size - 1]?.total;
  const ties = sorted.filter(({ total }) => total === limit);
  const first = sorted.findIndex(({ total }) => total === limit);
  const inside = sum(sorted.slice(0, first).map(({ part }) => part));
  const share = (size - first) / ties.length;
  return (inside + share * sum(ties.map(({ part }) => part))) / size;
}

/**
 * The correlation between the task and the other tasks (Pearson; for a task that passes or fails, the point-biserial correlation, corrected
 * for the task itself: Henrysson, "Correction of item-total correlations in item analysis", Psychometrika 28 (1963), 211-218).
 * @returns from -1 to 1; null with fewer than six students, or if the task or the rest is the same for all
 */
export function correlationOf(answers: readonly TaskAnswer[]): number | null {
  const pairs = answers.flatMap(({ part, rest }) => (rest === undefined ? [] : [{ part, rest }]));
  if (pairs.length < fewest) return null;
  const [meanPart, meanRest] = [sum(pairs.map((x) => x.part)), sum(pairs.map((x) => x.rest))].map(
    (all) => all / pairs.length,
  ) as [number, number];
  const together = sum(pairs.map(({ part, rest }) => (part - meanPart) * (rest - meanRest)));
  const parts = sum(pairs.map(({ part }) => (part - meanPart) ** 2));
  const rests = sum(pairs.map(({ rest }) => (rest - meanRest) ** 2));
  // Sums of equal fractions can differ from zero by rounding.
  if (parts < 1e-9 || rests < 1e-9) return null;
  return rounded(together / Math.sqrt(parts * rests));
}
