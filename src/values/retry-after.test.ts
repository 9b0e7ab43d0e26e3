import assert from 'node:assert/strict';
import { it } from 'node:test';
import { retryAfterSeconds } from './retry-after.ts';

it('reads seconds and dates of Retry-After, at most a day', () => {
  const read = [null, '', 'soon', '-5', '120', '999999999', 'Thu, 01 Jan 1970 00:00:00 GMT'].map(retryAfterSeconds);
  assert.deepEqual(read, [0, 0, 0, 0, 120, 86_400, 0]);
  const inAnHour = retryAfterSeconds(new Date(Date.now() + 3_600_000).toUTCString());
  assert.ok(inAnHour > 3590 && inAnHour <= 3600, String(inAnHour));
});
