import type { ScenarioEntry } from './source.ts';

/** The duration of a scenario. 0, with a warning, where it is not given in minutes. */
export function minutesOf({ file }: ScenarioEntry): number {
  const { time } = file.value;
  if (time === undefined || time === '') return 0;
  const minutes = Number(/^(\d+)\s*(?:m|mins?|minutes?)?$/i.exec(String(time).trim())?.[1] ?? Number.NaN);
  if (minutes <= 10_000) return minutes;
  file.lose(['time'], `${time} is not a number of minutes: not converted`);
  return 0;
}

/** Whole minutes that add up to the total. */
export const shared = (minutes: number, parts: number): number[] =>
  Array.from(
    { length: parts },
    (_, index) => Math.floor((minutes * (index + 1)) / parts) - Math.floor((minutes * index) / parts),
  );
