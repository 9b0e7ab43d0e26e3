/** Milliseconds for which a key that was pressed before the pages were there is remembered. */
const patience = 10_000;

let pressedAt = Number.NEGATIVE_INFINITY;
let open: (() => void) | undefined;

/** In a shell and in an editor these keys have a meaning of their own. */
const hasOwnKeys = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('.xterm, .cm-editor') !== null;

/** Listens for Ctrl+K and Cmd+K from the first script on, so that they open the search also while the pages are still loading. */
export function listenForSearchKey(): void {
  document.addEventListener('keydown', (event) => {
    if (event.code !== 'KeyK' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    if (event.defaultPrevented || hasOwnKeys(event.target)) return;
    event.preventDefault();
    if (open) open();
    else pressedAt = performance.now();
  });
}

/** @param action opens the search, at once where the key was pressed just before @returns ends it */
export function onSearchKey(action: () => void): () => void {
  open = action;
  if (performance.now() - pressedAt < patience) action();
  pressedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (open === action) open = undefined;
  };
}
