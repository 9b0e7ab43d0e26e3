import { readAccounts } from './config/accounts.ts';
import { readContainers } from './config/containers.ts';
import { readContent } from './config/content.ts';
import { EnvReader, type Setting } from './config/env-reader.ts';
import { gradingLimits } from './config/grading.ts';
import { readMail } from './config/mail.ts';
import { retiredVariables } from './config/retired.ts';
import { readServer } from './config/server.ts';
import { readStorage } from './config/storage.ts';
import { readTeaching } from './config/teaching.ts';
import { readTerminals } from './config/terminals.ts';
import { readTuning, type Tuning, usualTuning } from './config/tuning.ts';

/**
 * The validated configuration of the service. It is built once at startup from the environment; no other code reads the
 * environment.
 */
export type Config = ReturnType<typeof readConfig>;

function readConfig(env: EnvReader, tuning: Tuning) {
  const terminals = readTerminals(env, tuning);
  return {
    ...readServer(env, tuning),
    ...readStorage(env, tuning),
    ...readAccounts(env, tuning),
    ...readMail(env, tuning),
    ...readContent(env, tuning),
    ...readTeaching(env, tuning),
    ...readContainers(env, tuning, terminals.terminal),
    ...gradingLimits(tuning),
    ...terminals,
    /** Names of variables that are set and have no effect any more. */
    ignoredVariables: retiredVariables.filter((name) => env.given(name) !== undefined),
  };
}

/** All settings, in the order of docs/configuration.md. */
export function allSettings(): readonly Setting[] {
  const env = new EnvReader({});
  readConfig(env, usualTuning);
  return env.settings;
}

/** Sets the data folder where the environment names none, for this process and those that it starts. */
export function useDataDir(folder: string): void {
  process.env['DATA_DIR'] ||= folder;
}

/**
 * Reads and validates the configuration. An empty value counts as unset.
 * @param tuning values that a test changes in its own process
 * @throws Error that names every invalid variable, never its value
 */
export function loadConfig(
  variables: Readonly<Record<string, string | undefined>> = process.env,
  tuning: Partial<Tuning> = {},
): Config {
  const env = new EnvReader(variables);
  const config = readConfig(env, { ...usualTuning, ...readTuning(env.given('SERVICE_TUNING')), ...tuning });
  if (config.s3 && config.secretKey === undefined) {
    env.problems.push(
      'S3_ENDPOINT takes SECRET_KEY besides it: a key in the data folder would be another one in each replica',
    );
  }
  if (env.problems.length > 0) throw new Error(`The configuration is not usable:\n  ${env.problems.join('\n  ')}`);
  return config;
}
