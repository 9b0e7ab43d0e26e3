import { resolve } from 'node:path';
import { bytesIn } from './bytes-in.ts';
import type { EnvReader } from './env-reader.ts';
import { readS3 } from './s3.ts';

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
