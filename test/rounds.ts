import { it } from 'node:test';

const asked = process.env['RELIABILITY_ROUNDS'];

/**
 * How often something is tried: few times in `npm test`, the full count with `RELIABILITY_ROUNDS=full`, so many times with a
 * number, as far as it lies between the two.
 */
export const rounds = (few: number, full: number): number =>
  asked === 'full' ? full : Math.max(few, Math.min(full, Number(asked ?? 0) || 0));

/** Whether all is tried in full. */
export const isFull = asked === 'full';

/** A test that takes minutes: it is there with `RELIABILITY_ROUNDS=full` alone. */
export const itInFull: typeof it = isFull ? it : Object.assign(async () => {}, it);
