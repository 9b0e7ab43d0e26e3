import { readTuning, type Tuning, usualTuning } from '../src/config/tuning.ts';

/** What a test sets of a service: variables of its environment, and values that only tests change. */
export type TestSettings = Readonly<Record<Uppercase<string>, string | undefined>> & Partial<Tuning>;

/** The arguments of `loadConfig`. */
export function argumentsOf(settings: TestSettings): [variables: Record<string, string | undefined>, Partial<Tuning>] {
  const isTuning = ([name]: [string, unknown]) => Object.hasOwn(usualTuning, name);
  const entries = Object.entries(settings);
  return [
    Object.fromEntries(entries.filter((entry) => !isTuning(entry))) as Record<string, string | undefined>,
    Object.fromEntries(entries.filter(isTuning)) as Partial<Tuning>,
  ];
}

/** The variables of a process with these settings, besides those of this one. */
export function environmentOf(settings: TestSettings): Record<string, string | undefined> {
  const [variables, tuning] = argumentsOf(settings);
  const all = { ...readTuning(variables['SERVICE_TUNING']), ...tuning };
  return { ...variables, SERVICE_TUNING: JSON.stringify(all) };
}
