import { resolve } from 'node:path';
import { bytesIn } from './bytes-in.ts';
import type { EnvReader } from './env-reader.ts';

/** The database and the files, and how long what is no longer in use is kept there. */
export function readStorage(env: EnvReader) {
  return {
    dataDir: resolve(env.text('DATA_DIR', 'data')),
    s3: readS3(env),
    database: readDatabase(env),
    recordings: {
      /** Days that the terminal recording of an exam is stored after its end. */
      days: env.integer('RECORDING_DAYS', 30, { min: 1, max: 3650 }),
      /** Maximum size of one recording. */
      maxBytes: bytesIn.mib * env.integer('RECORDING_MAX_MB', 20, { min: 1, max: 1024 }),
    },
    /** Users can restore what they deleted for these minutes, and administrators can for these days. */
    deletions: {
      undoMinutes: env.integer('UNDO_MINUTES', 10, { min: 1, max: 1440 }),
      days: env.integer('DELETED_DAYS', 30, { min: 1, max: 3650 }),
    },
  };
}

function readDatabase(env: EnvReader) {
  const database = {
    url: env.secret('DATABASE_URL', {}),
    maxConnections: env.integer('DATABASE_CONNECTIONS', 20, { min: 4, max: 200 }),
    statementTimeout: 1000 * env.integer('DATABASE_STATEMENT_SECONDS', 15, { min: 1, max: 600 }),
    acquireTimeout: 1000 * env.integer('DATABASE_ACQUIRE_SECONDS', 4, { min: 1, max: 60 }),
    /** Milliseconds without an answer to a trivial query after which PostgreSQL counts as hanging. */
    silenceTimeout: 1000 * env.integer('DATABASE_SILENCE_SECONDS', 3, { min: 1, max: 60 }),
  };
  // The driver would interpret any other value as a file or a host of its own choice.
  if (database.url !== undefined && !/^(postgres(ql)?:\/\/|socket:|\/)/.test(database.url))
    env.problems.push('DATABASE_URL takes an address such as postgresql://user:password@host:5432/database');
  return database;
}

/** The bucket for files; undefined: the data folder. The keys are never logged. */
function readS3(env: EnvReader) {
  const endpoint = env.origin('S3_ENDPOINT');
  const given = {
    bucket: env.optional('S3_BUCKET'),
    accessKeyId: env.secret('S3_ACCESS_KEY_ID', {}),
    secretAccessKey: env.secret('S3_SECRET_ACCESS_KEY', {}),
  };
  const settings = {
    endpoint: endpoint ?? '',
    bucket: given.bucket ?? '',
    accessKeyId: given.accessKeyId ?? '',
    secretAccessKey: given.secretAccessKey ?? '',
    region: env.text('S3_REGION', 'us-east-1'),
    prefix: env.text('S3_PREFIX', '').replaceAll(/^\/+|\/+$/g, ''),
    /** Maximum milliseconds of one request with its retries. */
    timeout: 1000 * env.integer('S3_TIMEOUT_SECONDS', 15, { min: 1, max: 600 }),
    /** Milliseconds between two writes of a recording in progress: what a killed process loses. */
    appendDelay: 1000 * env.integer('S3_APPEND_SECONDS', 5, { min: 1, max: 300 }),
  };
  if (endpoint === undefined) {
    if (Object.values(given).some((value) => value !== undefined))
      env.problems.push('S3_BUCKET, S3_ACCESS_KEY_ID or S3_SECRET_ACCESS_KEY is set, but S3_ENDPOINT is not');
    return undefined;
  }
  if (Object.values(given).some((value) => value === undefined))
    env.problems.push('S3_ENDPOINT takes S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY besides it');
  if (given.bucket !== undefined && !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(given.bucket))
    env.problems.push('S3_BUCKET takes the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens');
  if (!/^[a-z0-9-]+$/.test(settings.region)) env.problems.push('S3_REGION takes a region such as eu-central-1');
  if (!/^([A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*)?$/.test(settings.prefix) || /(^|\/)\.{1,2}(\/|$)/.test(settings.prefix))
    env.problems.push('S3_PREFIX takes a path of letters, digits, dots, hyphens and underscores');
  for (const [name, key] of [
    ['S3_ACCESS_KEY_ID', settings.accessKeyId],
    ['S3_SECRET_ACCESS_KEY', settings.secretAccessKey],
  ] as const)
    if (/[^\x21-\x7e]/.test(key)) env.problems.push(`${name} contains white space or a character that no key has`);
  return settings;
}
