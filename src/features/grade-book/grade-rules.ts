import type { MissingRule } from '../../database/tables.ts';

export type GradeRules = {
  missing: MissingRule;
  /** The number of a student's lowest grades that do not count. */
  drop_lowest: number;
  /** The percentage from which a student passes. Null without a rule. */
  passing_percent: number | null;
};
/** A grade of one student in an exam, a laboratory or a column. */
export type WeighedGrade = {
  key: string;
  weight: number;
  /** The part of the maximum, from 0 to 1. Undefined for a missing grade. */
  part: number | undefined;
};
export type TotalGrade = {
  /** Weighted, with two decimal places. Null if no grade counts. */
  percent: number | null;
  /** Whether the student passes by the rule. Null without a rule or a percentage. */
  is_passed: boolean | null;
  /** The keys of the grades that do not count because they are the lowest. */
  dropped: string[];
};

/**
 * The weighted percentage of a student. A missing grade counts as zero, or does not count. Then the lowest grades are dropped, of equal ones
 * that with the greater weight, which is better for the student. One grade is always kept, as in Moodle
 * (https://docs.moodle.org/en/Grade_categories, "Drop the lowest").
 */
export function totalOf(rules: GradeRules, grades: readonly WeighedGrade[]): TotalGrade {
  const present = grades.flatMap(({ key, weight, part }) => {
    if (weight === 0 || (part === undefined && rules.missing === 'ignored')) return [];
    return [{ key, weight, part: part ?? 0 }];
  });
  const lowestFirst = present.toSorted((a, b) => a.part - b.part || b.weight - a.weight);
  const count = Math.max(0, Math.min(rules.drop_lowest, present.length - 1));
  const kept = lowestFirst.slice(count);
  const weight = sum(kept.map((grade) => grade.weight));
  if (weight === 0) return { percent: null, is_passed: null, dropped: [] };
  const percent = rounded((100 * sum(kept.map((grade) => grade.weight * grade.part))) / weight);
  const is_passed = rules.passing_percent === null ? null : percent >= rules.passing_percent;
  return { percent, is_passed, dropped: lowestFirst.slice(0, count).map(({ key }) => key) };
}

/** With two decimal places. */
export const rounded = (number: number): number => Math.round((number + Number.EPSILON) * 100) / 100;

export const sum = (numbers: readonly number[]): number => numbers.reduce((all, number) => all + number, 0);
