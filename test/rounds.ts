import { describe, it } from 'node:test';

const asked = process.env['RELIABILITY_ROUNDS'];

/** Whether everything runs in full: `RELIABILITY_ROUNDS=full npm run test:long`. */
export const isFull = asked === 'full';

/** Whether this is `npm run test:long`, or a full run. */
export const isLong = asked !== undefined;

/**
 * The number of repetitions: one in `npm test`, a few in `npm run test:long`, the full count with `RELIABILITY_ROUNDS=full`, and the given
 * number where it lies between the last two. The test that uses it is one of those below.
 */
export const rounds = (few: number, full: number, once = 1): number => {
  if (isFull) return full;
  return isLong ? Math.max(few, Math.min(full, Number(asked) || 0)) : once;
};

/**
 * `npm test` runs the tests of `it`, `npm run test:long` those of this file. Node runs only the marked ones there (`--test-only`), so nothing
 * is run by both except the tests in rounds.
 */
const absent = async (): Promise<void> => {};

/** A test that runs once in `npm test`, and with its repetitions in `npm run test:long`. */
export const itInRounds = (isLong ? it.only : it) as typeof it;

/** A test of a further case of a behaviour that `npm test` tests. It runs only in `npm run test:long`. */
export const itLong = (isLong ? it.only : absent) as typeof it;

/**
 * A suite of further cases, load, generated input or repetitions. It runs only in `npm run test:long`. Its tests are those of `it`: beside a
 * marked one Node would leave them out.
 */
export const describeLong = (isLong ? describe.only : absent) as typeof describe;

/** A suite whose behaviour others test too, for everything at once. It runs only with `RELIABILITY_ROUNDS=full`. */
export const describeInFull = (isFull ? describe.only : absent) as typeof describe;

/** A test that takes minutes. It runs only with `RELIABILITY_ROUNDS=full`. */
export const itInFull = (isFull ? it.only : absent) as typeof it;
