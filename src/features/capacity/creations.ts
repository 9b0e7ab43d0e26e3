import { Lanes } from '../../../packages/limits/lanes.ts';
import { tooManyAtOnce } from '../../errors.ts';

/**
 * The creations of containers by each user: one after another, whatever they are for. A user who starts, abandons and resets in a loop
 * then takes one place of those in which containers are created.
 */
export type Creations = Pick<Lanes, 'run' | 'enter' | 'occupy'>;

/** Requests of one user that wait for a creation in this process, and how long. */
const limits = { concurrency: 1, maxWaiting: 100, maxWaitMs: 30_000 };

export const newCreations = (): Creations =>
  new Lanes(limits, tooManyAtOnce('Too many of your starts at once; wait for their answers'));

/** The key of a user. */
export const creatorOf = ({ id }: { id: number }): string => `user:${id}`;
