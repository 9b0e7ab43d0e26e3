import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { instant, localTime } from '../../web/src/ui/time/local-time.ts';

describe('the fields of local time, around changes of the clocks', () => {
  const zone = process.env['TZ'];
  before(() => {
    process.env['TZ'] = 'Europe/Berlin';
  });
  after(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  it('name the same instant in both directions', () => {
    for (const [local, utc] of [
      ['2027-03-28T01:30', '2027-03-28T00:30:00.000Z'],
      ['2027-03-28T03:30', '2027-03-28T01:30:00.000Z'],
      ['2027-10-31T01:30', '2027-10-30T23:30:00.000Z'],
      ['2027-10-31T03:30', '2027-10-31T02:30:00.000Z'],
    ] as const) {
      assert.equal(instant(local), utc);
      assert.equal(localTime(utc), local);
    }
  });

  it('are one hour later for a skipped time, and the first of two that are the same', () => {
    assert.equal(localTime(instant('2027-03-28T02:30')), '2027-03-28T03:30');
    assert.equal(instant('2027-10-31T02:30'), '2027-10-31T00:30:00.000Z');
  });
});
