import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits for a condition. Fails with its name when it does not become true.
 * @param patience milliseconds: so long that only what never happens takes it, on a busy machine as well
 */
export async function until(
  condition: () => Promise<boolean> | boolean,
  what: string | (() => string),
  patience = 90_000,
): Promise<void> {
  const deadline = Date.now() + patience;
  while (!(await condition())) {
    if (Date.now() > deadline)
      throw new Error(`waited ${patience} ms in vain for ${typeof what === 'string' ? what : what()}`);
    await delay(20);
  }
}
