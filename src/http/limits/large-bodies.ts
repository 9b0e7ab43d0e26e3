import { setImmediate, setTimeout } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { ConcurrencyLimiter } from '../../../packages/limits/concurrency-limiter.ts';
import { overloaded } from '../../errors.ts';
import { clientOf } from './request-counts.ts';

/** Characters of a body that is read at once. Larger ones can have thousands of wrong values, which take milliseconds. */
export const maxReadAtOnce = 16_384;
/** Larger bodies that wait at most: a second or two. */
const maxWaiting = 100;
/** Characters that the process receives and decodes in a millisecond, at least. */
const receivedInMs = 1_000_000;
/** How many times as long as a body took the next one waits, so that others find the process idle four times out of five. */
const restFactor = 4;

/**
 * Reads large bodies one after another, and gives the process to others in between: each takes milliseconds. Clients take turns.
 * @returns what calls `read` in its turn; it rejects with UnavailableError where too many bodies wait
 */
export function bodiesInTurn(): (request: FastifyRequest, body: string, read: () => void) => Promise<void> {
  const turns = new ConcurrencyLimiter({ concurrency: 1, maxWaiting }, overloaded('Too many large requests at once'));
  const turn = async (body: string, read: () => void): Promise<void> => {
    await setImmediate();
    const begin = performance.now();
    read();
    // The body is validated meanwhile.
    await setImmediate();
    await setTimeout(restFactor * (performance.now() - begin + body.length / receivedInMs));
  };
  return (request, body, read) => turns.run(() => turn(body, read), { client: clientOf(request) });
}
