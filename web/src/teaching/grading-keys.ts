/** Whether a key is for something else: a field, the player, a dialog. */
export const isTaken = (event: KeyboardEvent): boolean =>
  event.defaultPrevented ||
  event.ctrlKey ||
  event.altKey ||
  event.metaKey ||
  document.querySelector('[role=dialog], [role=alertdialog]') !== null ||
  (event.target instanceof Element && event.target.closest('input, textarea, select, [data-player]') !== null);
