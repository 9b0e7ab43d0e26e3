const name = 'reloaded-at';
/** Milliseconds within which a page that was loaded again is not loaded another time. */
const pause = 60_000;
/** Milliseconds in which the service has to answer. */
const patience = 5000;

let decision: Promise<boolean> = Promise.resolve(false);

/** Whether the page is being loaded again, so that a failure need not be shown. */
export const isReloading = (): Promise<boolean> => decision;

/**
 * Loads the page again where one of its scripts is missing: the service was updated, and the script has another name now. Where this does
 * not help, the page shows the failure. Without a connection it stays as it is, because the document could not be loaded either.
 */
export function reloadOnNewVersion(): void {
  addEventListener('vite:preloadError', () => {
    // document.js shows no failure until it is decided.
    dispatchEvent(new Event('pages-reloading'));
    decision = decision.then(async (isDecided) => isDecided || (await reload()));
  });
}

async function reload(): Promise<boolean> {
  const isOlder = (await isServiceThere()) && mayReload();
  if (isOlder) location.reload();
  else dispatchEvent(new Event('pages-staying'));
  return isOlder;
}

async function isServiceThere(): Promise<boolean> {
  if (!navigator.onLine) return false;
  const options = { method: 'HEAD', cache: 'no-store', headers: { accept: 'text/html' } } as const;
  const answer = await fetch('/', { ...options, signal: AbortSignal.timeout(patience) }).catch(() => undefined);
  return answer?.ok ?? false;
}

function mayReload(): boolean {
  try {
    if (Date.now() - Number(sessionStorage.getItem(name) ?? 0) < pause) return false;
    sessionStorage.setItem(name, String(Date.now()));
    return true;
  } catch {
    // Without a memory it could continue for ever.
    return false;
  }
}
