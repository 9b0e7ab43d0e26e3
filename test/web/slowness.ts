import type { BrowserContext, Page } from 'playwright-core';
import type { TestServer } from '../server.ts';

/**
 * `SLOW_PAGES=6 npm test -- test/web/editing.test.ts`: the processor of the pages is six times as slow, and each answer of the service takes up
 * to a second and a half longer. A test that passes only on a quiet machine fails there.
 */
const rate = Number(process.env['SLOW_PAGES'] ?? 1);
const maxDelayMs = 1500;
export const isSlow = rate > 1;
/** What a test waits for takes longer by this. */
export const timeFactor = isSlow ? 2 : 1;

export async function slowPage(page: Page): Promise<void> {
  if (!isSlow) return;
  const tools = await page.context().newCDPSession(page);
  await tools.send('Emulation.setCPUThrottlingRate', { rate });
}

/** Also the pages that a test opens itself. */
export function slowContext(context: BrowserContext): void {
  if (isSlow) context.on('page', (page) => void slowPage(page).catch(() => {}));
}

const slowed = new WeakSet<TestServer>();
let state = 20_261_127;
/** The same sequence in every run, from 0 to 1. */
const next = (): number => {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return state / 2_147_483_648;
};

/** Delays the answers to browsers, not those to the tests themselves. */
export function slowAnswers(server: TestServer): void {
  if (!isSlow || slowed.has(server)) return;
  slowed.add(server);
  const door = server.application.app.server;
  const emit = door.emit.bind(door) as (name: string, ...args: unknown[]) => boolean;
  door.emit = ((name: string, ...args: unknown[]) => {
    const request = args[0] as { url?: string; headers?: Record<string, string> } | undefined;
    const isOfPage = name === 'request' && request?.headers?.['user-agent']?.includes('Mozilla');
    if (!isOfPage || !request?.url?.startsWith('/api/')) return emit(name, ...args);
    setTimeout(emit, next() * maxDelayMs, name, ...args);
    return true;
  }) as typeof door.emit;
}
