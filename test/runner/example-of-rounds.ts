/** A test file of `rounds.test.ts`, with one test of each kind. */
import { describe, it } from 'node:test';
import { describeLong, itInFull, itInRounds, itLong, rounds } from '../rounds.ts';

const done = (): void => {};

describe('a suite', () => {
  it('ordinary', done);
  itInRounds(`in rounds: ${rounds(3, 9)}`, done);
  itLong('long', done);
  itInFull('in full', done);
});
describe('an ordinary suite', () => it('of ordinary tests', done));
describeLong('a long suite', () => {
  it('ordinary in a long suite', done);
});
