import type { ComponentType } from 'react';

/** Milliseconds after which a part is requested again, where the browser does not report that it is online before. */
const retryMs = 5000;

/**
 * Loads a part of a page that the page is not complete without. For React's `lazy`. While it cannot be loaded, what stands in its place
 * stays, and it is requested again: a lost connection takes no page away.
 */
export async function neededPart<Component extends ComponentType<never>>(
  load: () => Promise<Component>,
): Promise<{ default: Component }> {
  for (;;) {
    try {
      return { default: await load() };
    } catch {
      const over = new AbortController();
      await new Promise((resolve) => {
        addEventListener('online', resolve, { signal: over.signal });
        setTimeout(resolve, retryMs);
      });
      over.abort();
      requestStylesAgain();
    }
  }
}

/** The loader of the scripts requests each style sheet once, also where that fails. */
function requestStylesAgain(): void {
  for (const link of failedStyles) link.replaceWith(link.cloneNode());
  failedStyles.clear();
}

const failedStyles = new Set<HTMLLinkElement>();
addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target);
  },
  true,
);
