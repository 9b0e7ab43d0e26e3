import type { BrowserContext, Request } from 'playwright-core';
import { until } from '../until.ts';

/**
 * Whether a request was interrupted because an interface of the machine has appeared or gone, as those of containers in other tests do. Chromium
 * then gives up all requests that wait for a connection.
 */
export const isNetworkChange = (error: unknown): boolean => String(error).includes('net::ERR_NETWORK_CHANGED');

/** Milliseconds within which Playwright reports a failure that the page already knows. */
const patience = 10_000;

/**
 * Lets pages repeat the requests of their scripts that were interrupted before they were sent. The pages cannot tell these from an
 * unreachable service, which has tests of its own.
 */
export async function repeatInterrupted(context: BrowserContext): Promise<void> {
  const failures = new Map<string, string | undefined>();
  context.on('requestfailed', (request: Request) => failures.set(request.url(), request.failure()?.errorText));
  await context.exposeBinding('wasInterrupted', async (_source, url: string) => {
    await until(() => failures.has(url), `the failure of ${url}`, patience);
    const failure = failures.get(url);
    failures.delete(url);
    return isNetworkChange(failure);
  });
  await context.addInitScript(repeatInPage);
}

/** Runs in the browser, before the scripts of each document. */
function repeatInPage(): void {
  const { fetch: send, wasInterrupted } = window as typeof window & {
    wasInterrupted: (url: string) => Promise<boolean>;
  };
  window.fetch = async (input, init) => {
    const request = new Request(input, init);
    for (;;) {
      try {
        return await send(request.clone());
      } catch (error) {
        if (request.signal.aborted || !(await wasInterrupted(request.url).catch(() => false))) throw error;
      }
    }
  };
}
