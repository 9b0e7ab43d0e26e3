import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { orStop } from './steps.ts';

describe('a step of the start', () => {
  it('is awaited, or abandoned at a stop', async () => {
    assert.equal(await orStop(new AbortController().signal, Promise.resolve(1)), 1);
    const controller = new AbortController();
    const never = orStop(controller.signal, new Promise(() => {}));
    controller.abort(new Error('stopped'));
    await assert.rejects(never, /stopped/);
  });

  it('that fails after a stop has no effect', async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    await assert.rejects(orStop(AbortSignal.abort(new Error('stopped')), promise), /stopped/);
    const unhandled = once(process, 'unhandledRejection').then(() => 'unhandled');
    reject(new Error('its database has gone'));
    // Node reports an unhandled rejection before it runs timers.
    const quiet = new Promise<string>((resolve) => setTimeout(resolve, 0, 'quiet'));
    assert.equal(await Promise.race([unhandled, quiet]), 'quiet');
  });
});
