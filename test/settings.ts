import assert from 'node:assert/strict';
import { retiredVariables } from '../src/config/retired.ts';
import { readTuning, type Tuning, usualTuning } from '../src/config/tuning.ts';

/** What a test sets of a service: variables of its environment, and values that only tests change. */
export type TestSettings = Readonly<Record<Uppercase<string>, string | undefined>> & Partial<Tuning>;
/** What decides when a database counts as failed, as in production: for tests of that. */
export const databasePatience: TestSettings = {
  databaseStatementSeconds: usualTuning.databaseStatementSeconds,
  databaseAcquireSeconds: usualTuning.databaseAcquireSeconds,
  databaseSilenceSeconds: usualTuning.databaseSilenceSeconds,
};

type Variables = Record<string, string | undefined>;

/** The arguments of `loadConfig`. */
export function argumentsOf(settings: TestSettings): [Variables, Partial<Tuning>] {
  for (const name of Object.keys(settings))
    assert.ok(!retiredVariables.includes(name), `${name} has no effect: see src/config/tuning.ts`);
  return split(settings);
}

/** The variables of a process with these settings, besides those of this one. */
export function environmentOf(settings: TestSettings): Variables {
  const [variables, tuning] = split(settings);
  const all = { ...readTuning(variables['SERVICE_TUNING']), ...tuning };
  return { ...variables, SERVICE_TUNING: JSON.stringify(all) };
}

function split(settings: TestSettings): [Variables, Partial<Tuning>] {
  const isTuning = ([name]: [string, unknown]) => Object.hasOwn(usualTuning, name);
  const entries = Object.entries(settings);
  return [
    Object.fromEntries(entries.filter((entry) => !isTuning(entry))) as Variables,
    Object.fromEntries(entries.filter(isTuning)) as Partial<Tuning>,
  ];
}
