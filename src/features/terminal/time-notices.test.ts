import assert from 'node:assert/strict';
import { it, mock } from 'node:test';
import { timeNotices } from './time-notices.ts';

it('tells of the end 600, 300 and 60 seconds before it and at it, unless it is disposed', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 });
  const tell = mock.fn();
  const told = () => tell.mock.calls.map((call) => call.arguments[0]);
  const after = (seconds: number) => timeNotices(new Date(Date.now() + seconds * 1000), tell);

  const _first = after(700);
  context.mock.timers.tick(99_000);
  assert.deepEqual(told(), []);
  context.mock.timers.tick(1000);
  assert.deepEqual(told(), [600]);
  context.mock.timers.tick(600_000);
  assert.deepEqual(told(), [600, 300, 60, 0]);

  tell.mock.resetCalls();
  after(100)[Symbol.dispose]();
  timeNotices(null, tell);
  after(90 * 86_400);
  context.mock.timers.tick(1_000_000);
  assert.deepEqual(told(), []);

  after(-5);
  context.mock.timers.tick(1);
  assert.deepEqual(told(), [0]);
});
