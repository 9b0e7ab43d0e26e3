import { resolve } from 'node:path';
import { bytesIn } from './bytes-in.ts';
import type { EnvReader } from './env-reader.ts';
import type { Tuning } from './tuning.ts';

/** The database and the files, and how long what is no longer in use is kept there. */
export function readStorage(env: EnvReader, tuning: Tuning) {
  env.part = 'Data';
  return {
    dataDir: resolve(
      env.text('DATA_DIR', 'data', {
        about: 'folder for all persistent data, see [operating](operating.md#the-data-folder)',
      }),
    ),
    s3: readS3(env, tuning),
    database: readDatabase(env, tuning),
    recordings: {
      /** Days that the terminal recording of an exam is stored after its end. */
      days: env.integer('RECORDING_DAYS', 30, {
        min: 1,
        max: 3650,
        about: 'days that the terminal recording of an exam is stored after its end',
      }),
      maxBytes: bytesIn.mib * tuning.maxRecordingMb,
    },
    evidence: {
      days: env.integer('EVIDENCE_DAYS', 30, {
        min: 0,
        max: 3650,
        about:
          'days that what an attempt left on its machine is kept after its end, to be downloaded, reopened or graded again; 0: it is not kept',
      }),
      bytes:
        bytesIn.mib *
        env.integer('EVIDENCE_MB', 4096, {
          min: 1,
          max: 10_000_000,
          about: 'megabytes for that, of all attempts together; the oldest is deleted to make room',
        }),
    },
    /** Users can restore what they deleted for these minutes, while they still know what it was, and administrators can for these days. */
    deletions: {
      undoMinutes: 10,
      days: env.integer('DELETED_DAYS', 30, {
        min: 1,
        max: 3650,
        about: 'days for which administrators can restore what was deleted; then it is deleted for good',
      }),
    },
  };
}

function readDatabase(env: EnvReader, tuning: Tuning) {
  const database = {
    url: env.secret('DATABASE_URL', {
      usually: 'a PostgreSQL of its own in `DATA_DIR`',
      about: 'a PostgreSQL, as `postgresql://user:password@host:5432/database`',
    }),
    maxConnections: env.integer('DATABASE_CONNECTIONS', 20, {
      min: 4,
      max: 200,
      about: 'connections of one start of the service; divided among its `PROCESSES`, at least 4 each',
    }),
    statementTimeout: 1000 * tuning.databaseStatementSeconds,
    acquireTimeout: 1000 * tuning.databaseAcquireSeconds,
    silenceTimeout: 1000 * tuning.databaseSilenceSeconds,
  };
  // The driver would interpret any other value as a file or a host of its own choice.
  if (database.url !== undefined && !/^(postgres(ql)?:\/\/|socket:|\/)/.test(database.url))
    env.problems.push('DATABASE_URL takes an address such as postgresql://user:password@host:5432/database');
  return database;
}

/** The bucket for files; undefined: the data folder. The keys are never logged. */
function readS3(env: EnvReader, tuning: Tuning) {
  const endpoint = env.origin('S3_ENDPOINT', {
    usually: 'files are in `DATA_DIR`',
    about:
      'an S3 server for [pictures and recordings](operating.md#files-in-s3), such as `https://s3.eu-central-1.amazonaws.com`; needs the bucket, both keys and `SECRET_KEY`',
  });
  const given = {
    bucket: env.optional('S3_BUCKET', { about: 'an existing bucket' }),
    accessKeyId: env.secret('S3_ACCESS_KEY_ID', { about: 'key that may read, write, list and delete in the bucket' }),
    secretAccessKey: env.secret('S3_SECRET_ACCESS_KEY', { about: 'the secret part of that key' }),
  };
  const settings = {
    endpoint: endpoint ?? '',
    bucket: given.bucket ?? '',
    accessKeyId: given.accessKeyId ?? '',
    secretAccessKey: given.secretAccessKey ?? '',
    region: env.text('S3_REGION', 'us-east-1', { about: 'region of the bucket' }),
    prefix: env
      .text('S3_PREFIX', '', {
        about: 'beginning of the names of all objects, for several installations in one bucket',
      })
      .replaceAll(/^\/+|\/+$/g, ''),
    /** Maximum milliseconds of one request with its retries. */
    timeout: 15_000,
    appendDelay: 1000 * tuning.s3AppendSeconds,
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
