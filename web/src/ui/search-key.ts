/** Milliseconds for which a key that was pressed before the pages were there is remembered. */
const patience = 10_000;

/** Characters that are kept of what is typed after it, until the search is there. */
const mostTyped = 200;

let pressedAt = Number.NEGATIVE_INFINITY;
let typed = '';
/** What was typed belongs to the search, which has no field yet. */
let isCollecting = false;
let open: (() => void) | undefined;

/** In a shell and in an editor these keys have a meaning of their own. */
const hasOwnKeys = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('.xterm, .cm-editor') !== null;

/** Listens for Ctrl+K and Cmd+K from the first script on, so that they open the search also while the pages are still loading. */
export function listenForSearchKey(): void {
  document.addEventListener('keydown', (event) => {
    if (isCollecting && collect(event)) return;
    if (event.code !== 'KeyK' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    if (event.defaultPrevented || hasOwnKeys(event.target)) return;
    event.preventDefault();
    typed = '';
    isCollecting = true;
    pressedAt = performance.now();
    if (open) open();
  });
}

/** @returns whether the key belongs to the text of the search */
function collect(event: KeyboardEvent): boolean {
  if (performance.now() - pressedAt > patience || event.key === 'Escape') isCollecting = false;
  if (!isCollecting || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
  if (event.key === 'Backspace') typed = typed.slice(0, -1);
  else if (/^.$/su.test(event.key) && typed.length < mostTyped) typed += event.key;
  else return false;
  event.preventDefault();
  return true;
}

/** What was typed after the key while the search was loading. From now on the field of the search takes the keys. */
export function takeTyped(): string {
  isCollecting = false;
  const text = typed;
  typed = '';
  return text;
}

/** @param action opens the search, at once where the key was pressed just before @returns ends it */
export function onSearchKey(action: () => void): () => void {
  open = action;
  if (isCollecting && performance.now() - pressedAt < patience) action();
  return () => {
    if (open === action) open = undefined;
  };
}
