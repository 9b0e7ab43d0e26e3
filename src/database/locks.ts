import { sql, type Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * The advisory locks of the service, which all of its processes share. A number is never used again for something else: processes of the
 * release before may run during an upgrade.
 */
const keys = {
  /** One process compares the records with the engine. */
  reconciling: 7_301,
  /** The first key of a living process; the second is its number. */
  presence: 7_302,
  /** Counting and reserving containers. */
  capacity: 7_303,
  'disk usage': 7_304,
  avatars: 7_311,
  recordings: 7_312,
  'home folders': 7_313,
  'search index': 7_314,
  notifications: 7_315,
  /** Announcements to everybody. */
  everybody: 7_316,
  /** One process runs the checks of exam sessions silently. */
  'silent checks': 7_317,
  /** One process pulls images. */
  images: 7_318,
  revisions: 7_333,
  /** One process completes an import of users. */
  'user import': 7_340,
  /** Entries of the catalogue are counted. */
  catalogue: 7_350,
  'written files': 7_351,
  'imported users': 7_352,
  /** One administrator stays. */
  administrators: 7_353,
  /** Content is imported. */
  content: 7_354,
  'lesson repositories': 7_355,
  /** The order of rows that have no parent. */
  'catalogue order': 7_356,
  /** What sections and assessments wait for. */
  openings: 7_357,
  /** One process deletes old evidence of attempts. */
  evidence: 7_358,
  /** One process grades attempts again. */
  regrades: 7_359,
  /** One process keeps the evidence of attempts that had no machine. */
  'evidence of answers': 7_360,
  /** One process removes what is kept no longer. */
  retention: 7_361,
  /** One process writes mails. */
  mail: 7_370,
  /** Webhooks are counted. */
  webhooks: 7_371,
  /** One process follows the courses of platforms and sends grades to them. */
  'lti grades': 7_380,
  'lti members': 7_381,
} as const;
export type LockName = keyof typeof keys;

export const lockKey = (name: LockName): number => keys[name];

/** Holds a lock until the end of the transaction. Waits for it. */
export async function lock(trx: Transaction<Tables>, name: LockName): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKey(name)})`.execute(trx);
}
