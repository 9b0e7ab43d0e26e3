import { describe, it } from 'node:test';

const asked = process.env['RELIABILITY_ROUNDS'];

/** Whether everything runs in full: `RELIABILITY_ROUNDS=full npm run test:long`. */
export const isFull = asked === 'full';

/** Whether this is `npm run test:long`, or a full run. */
export const isLong = asked !== undefined;

/**
 * The number of repetitions: one in `npm test`, a few in `npm run test:long`, the full count with `RELIABILITY_ROUNDS=full`, and the given
 * number where it lies between the last two.
 */
export const rounds = (few: number, full: number, once = 1): number => {
  if (isFull) return full;
  return isLong ? Math.max(few, Math.min(full, Number(asked) || 0)) : once;
};

/** A long test with the same coverage as a shorter one that runs once. It runs only in `npm run test:long`. */
export const itLong: typeof it = isLong ? it : Object.assign(async () => {}, it);

/** A suite of load, generated input or repetitions. Its behaviours are also tested once elsewhere. It runs only in `npm run test:long`. */
export const describeLong: typeof describe = isLong ? describe : Object.assign(async () => {}, describe);

/** A test that takes minutes. It runs only with `RELIABILITY_ROUNDS=full`. */
export const itInFull: typeof it = isFull ? it : Object.assign(async () => {}, it);
