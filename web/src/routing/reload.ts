declare global {
  /** By document.js, which loads the page again where one of its files is missing. */
  var isReloadingPages: () => Promise<boolean>;
}

/** Whether the page is being loaded again, so that a failure need not be shown. */
export const isReloading = (): Promise<boolean> => globalThis.isReloadingPages();

/** Prevents it while something is sent that only this page knows. @returns what permits it again */
export function preventReload(): () => void {
  const prevent = (event: Event): void => event.preventDefault();
  addEventListener('pages-reload', prevent);
  return () => removeEventListener('pages-reload', prevent);
}
