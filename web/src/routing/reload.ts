declare global {
  /** By document.js, which loads the page again where one of its files is missing. */
  var isReloadingPages: () => Promise<boolean>;
}

/** Whether the page is being loaded again, so that a failure need not be shown. */
export const isReloading = (): Promise<boolean> => globalThis.isReloadingPages();
