import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pino } from 'pino';
import { NetworkLimits } from './network-limits.ts';

it('reports a network at once, and its further refusals together', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const lines: string[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) });
  const added: unknown[] = [];
  const store = { add: async (...entry: unknown[]) => void added.push(entry) };
  using limits = new NetworkLimits(store, log, 1000);
  for (let index = 0; index < 500; index += 1) limits.meet('logins', '203.0.113.0/24');
  limits.meet('registrations', '203.0.113.0/24');
  t.mock.timers.tick(1000);
  limits.meet('logins', '203.0.113.0/24');
  assert.deepEqual(added, [
    ['203.0.113.0/24', 'logins', 1],
    ['203.0.113.0/24', 'registrations', 1],
    ['203.0.113.0/24', 'logins', 499],
    ['203.0.113.0/24', 'logins', 1],
  ]);
  assert.match(lines[2] ?? '', /"times":499,"msg":"a network has to wait/);
});
