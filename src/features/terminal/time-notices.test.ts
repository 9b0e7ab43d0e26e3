import assert from 'node:assert/strict';
import { it, mock } from 'node:test';
import { TimeNotices } from './session-deadlines.ts';

it('notifies 600, 300 and 60 seconds before the end and at the end, unless disposed or postponed', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 });
  const tell = mock.fn();
  const told = () => tell.mock.calls.map((call) => call.arguments[0]);
  const from = (seconds: number) => new Date(Date.now() + seconds * 1000);
  const after = (seconds: number) => new TimeNotices(from(seconds), tell);

  const _first = after(700);
  context.mock.timers.tick(99_000);
  assert.deepEqual(told(), []);
  context.mock.timers.tick(1000);
  assert.deepEqual(told(), [600]);
  context.mock.timers.tick(600_000);
  assert.deepEqual(told(), [600, 300, 60, 0]);

  tell.mock.resetCalls();
  after(100)[Symbol.dispose]();
  new TimeNotices(null, tell);
  after(90 * 86_400);
  context.mock.timers.tick(1_000_000);
  assert.deepEqual(told(), []);

  after(-5);
  context.mock.timers.tick(1);
  assert.deepEqual(told(), [0]);

  tell.mock.resetCalls();
  const moving = after(100);
  context.mock.timers.tick(50_000);
  assert.deepEqual(told(), [60]);
  assert.equal(moving.follow(from(50)), undefined);
  assert.equal(moving.follow(from(310)), 310);
  context.mock.timers.tick(300_000);
  assert.deepEqual(told(), [60, 300, 60]);
  assert.equal(moving.follow(null), Number.POSITIVE_INFINITY);
  context.mock.timers.tick(100_000);
  assert.deepEqual(told(), [60, 300, 60]);
});
