import { it } from 'node:test';

const asked = process.env['RELIABILITY_ROUNDS'];

/** Whether all is tried in full: `RELIABILITY_ROUNDS=full npm run test:long`. */
export const isFull = asked === 'full';

/** Whether this is `npm run test:long`, or a run in full. */
export const isLong = asked !== undefined;

/**
 * How often something is tried: once in `npm test`, a few times in `npm run test:long`, the full count with
 * `RELIABILITY_ROUNDS=full`, so many times with a number, as far as it lies between the two.
 */
export const rounds = (few: number, full: number, once = 1): number => {
  if (isFull) return full;
  return isLong ? Math.max(few, Math.min(full, Number(asked) || 0)) : once;
};

/** A test that takes long, and shows nothing that a shorter one does not show once: it is there in `npm run test:long` alone. */
export const itLong: typeof it = isLong ? it : Object.assign(async () => {}, it);

/** A test that takes minutes: it is there with `RELIABILITY_ROUNDS=full` alone. */
export const itInFull: typeof it = isFull ? it : Object.assign(async () => {}, it);
