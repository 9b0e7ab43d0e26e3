import assert from 'node:assert/strict';
import { beforeEach, describe, it, mock } from 'node:test';
import { onClockDoubt } from '../../web/src/attempts/clock-doubt.ts';

type Clock = typeof import('../../web/src/api/server-clock.ts');

const minute = 60_000;
const dated = (moment: number): Response =>
  new Response(null, { headers: { Date: new Date(moment - (moment % 1000)).toUTCString() } });
const told = (moment: number): Response =>
  new Response(null, { headers: { 'Service-Time': new Date(moment).toISOString() } });

describe('the clock of the service in the pages', () => {
  let clock: Clock;
  let loads = 0;
  /** The page's time, and how far the service's is ahead of 1970. */
  let now = 0;
  const service = () => 1_800_000_000_000 + now;
  const off = (): number => Math.abs(clock.serverNow() - service());

  beforeEach(async () => {
    now = 5000;
    mock.method(performance, 'now', () => now);
    loads += 1;
    clock = (await import(`../../web/src/api/server-clock.ts?${loads}`)) as Clock;
  });

  it('is that of its own answers, whatever a proxy writes as the date, before or after', () => {
    clock.learnTime(dated(service() + 2 * minute), now - 100, now);
    assert.ok(off() > minute, 'nothing better is known');
    clock.learnTime(told(service() - 50), now - 100, now);
    assert.ok(off() <= 50, `${off()} ms`);
    assert.equal(clock.hasReached(new Date(service() - 50).toISOString()), true);
    assert.equal(clock.hasReached(new Date(service()).toISOString()), false, 'only what the service has told counts');
    for (const shift of [2, -2, 60]) clock.learnTime(dated(service() + shift * minute), now - 100, now);
    assert.ok(off() <= 50, `${off()} ms`);
  });

  it('does not follow the clock of the computer', () => {
    clock.learnTime(told(service()), now, now);
    mock.method(Date, 'now', () => 0);
    now += 10 * minute;
    assert.equal(off(), 0);
    mock.restoreAll();
  });

  it('does not become less accurate by slow answers, and notices that the computer slept', () => {
    clock.learnTime(told(service() - 20), now - 40, now);
    clock.learnTime(told(service()), now - 3000, now);
    assert.ok(off() <= 20, `${off()} ms`);
    // The page's time stood still for an hour.
    now += 1000;
    const later = service() + 60 * minute;
    clock.learnTime(told(later), now - 3000, now);
    assert.ok(Math.abs(clock.serverNow() - later) <= 1500);
  });

  it('is in doubt when one clock of the computer leaps', () => {
    mock.timers.enable({ apis: ['setInterval', 'Date'], now: 0 });
    let reports = 0;
    const stop = onClockDoubt(() => {
      reports += 1;
    });
    const passes = (): void => {
      now += 1000;
      mock.timers.tick(1000);
    };
    passes();
    assert.equal(reports, 0);
    mock.timers.setTime(30 * minute);
    passes();
    assert.equal(reports, 1);
    passes();
    assert.equal(reports, 1);
    stop();
    mock.timers.reset();
    mock.restoreAll();
  });
});
