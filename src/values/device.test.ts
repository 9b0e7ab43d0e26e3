import assert from 'node:assert/strict';
import { it } from 'node:test';
import { deviceOf } from './device.ts';

it('names the browser and the system of a device, or the program', () => {
  for (const [userAgent, device] of [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0', 'Firefox, Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0',
      'Edge, Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari, iOS',
    ],
    ['curl/8.14.1', 'curl'],
    ['<script>alert(1)</script>', ''],
    ['x'.repeat(10_000), 'x'.repeat(60)],
    [undefined, ''],
  ] as const)
    assert.equal(deviceOf(userAgent), device);
});
