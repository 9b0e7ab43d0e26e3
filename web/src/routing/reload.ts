const name = 'reloaded-at';
/** Milliseconds within which a page that was loaded again is not loaded another time. */
const pause = 60_000;

let reloading = false;

/** Whether the page is being loaded again, so that a failure need not be shown. */
export const isReloading = (): boolean => reloading;

/**
 * Loads the page again where one of its scripts is missing: the service was updated, and the script has another name now. Where this does
 * not help, the page shows the failure.
 */
export function reloadOnNewVersion(): void {
  addEventListener('vite:preloadError', () => {
    if (!mayReload()) return;
    reloading = true;
    // document.js shows no failure then.
    dispatchEvent(new Event('pages-reloading'));
    location.reload();
  });
}

function mayReload(): boolean {
  try {
    if (Date.now() - Number(sessionStorage.getItem(name) ?? 0) < pause) return false;
    sessionStorage.setItem(name, String(Date.now()));
    return true;
  } catch {
    // Without a memory it could go on for ever.
    return false;
  }
}
