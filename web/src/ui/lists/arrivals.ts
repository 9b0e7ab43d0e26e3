import { queryClient } from '../../api/query-client.ts';

/** Milliseconds in which a list shows what was created, once nothing lies over it and nothing is loaded. */
const patience = 3000;

/** Aborted where the arrival has been shown, or a newer one has begun. */
let latest = new AbortController();
const arriving = 'arriving';

/** The attribute of an element in a list that shows a thing. @param kind as in the API: `course`, `exam_session` */
export const itemOf = (kind: string, id: number | string): { 'data-item': string } => ({
  'data-item': `${kind}-${id}`,
});

/** Calls an action where something arrives within an item. @returns ends it */
export function onArrivalWithin(kind: string, id: number, action: () => void): () => void {
  const listen = (event: Event): void => {
    if ((event as CustomEvent<string>).detail === `${kind}-${id}`) action();
  };
  addEventListener(arriving, listen);
  return () => removeEventListener(arriving, listen);
}

/**
 * Scrolls to something that was just created or restored, focuses it and marks it until the user goes on, in whichever place of a list it is.
 * Waits until dialogs have closed and the list has it. Once the user has pressed a key or a button in the meantime, it is only marked.
 * @param within the item that is to be opened for it, such as `course-5`
 * @param otherwise called where the list does not show it in time, to show the page of the list that has it. Not called once the user has
 *   pressed a key or a button: the page stays as it is.
 */
export function showArrival(
  kind: string,
  id: number | string,
  { within, otherwise }: { within?: string; otherwise?: () => void } = {},
): void {
  latest.abort();
  const own = new AbortController();
  latest = own;
  if (within !== undefined) dispatchEvent(new CustomEvent(arriving, { detail: within }));
  let deadline = performance.now() + patience;
  let isElsewhere = false;
  const hasActed = watchUser(own.signal);
  const look = (isReady = false): void => {
    if (own.signal.aborted) return;
    const isBelow = document.querySelector('[role=dialog], [role=alertdialog]') !== null;
    const found = document.querySelector<HTMLElement>(`[data-item="${CSS.escape(`${kind}-${id}`)}"]`);
    const item = found && !isBelow && found.checkVisibility() ? found : undefined;
    if (isBelow || queryClient.isFetching() > 0) deadline = performance.now() + patience;
    if (item && isReady) {
      own.abort();
      mark(item, !hasActed());
    }
    // A dialog that closes returns the focus first, and one that has been opened in the meantime keeps it.
    else if (item) setTimeout(look, 50, true);
    else if (performance.now() < deadline) {
      requestAnimationFrame(() => look());
    } else if (otherwise && !isElsewhere && !hasActed()) {
      isElsewhere = true;
      deadline = performance.now() + patience;
      otherwise();
      requestAnimationFrame(() => look());
    } else own.abort();
  };
  look();
}

/** @returns whether the user has pressed a key or a button since this call, until the signal */
function watchUser(signal: AbortSignal): () => boolean {
  let hasActed = false;
  const act = (event: Event): void => {
    // A key that is still held down is from before.
    if (!(event instanceof KeyboardEvent && event.repeat)) hasActed = true;
  };
  for (const name of ['pointerdown', 'keydown']) addEventListener(name, act, { capture: true, signal });
  return () => hasActed;
}

function mark(item: HTMLElement, isWithFocus: boolean): void {
  item.dataset.arrived = '';
  const end = new AbortController();
  const unmark = (): void => {
    delete item.dataset.arrived;
    end.abort();
  };
  for (const name of ['pointerdown', 'keydown']) addEventListener(name, unmark, { capture: true, signal: end.signal });
  if (isWithFocus) focus(item);
}

function focus(item: HTMLElement): void {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  item.scrollIntoView({ block: 'center', behavior: isStill ? 'instant' : 'smooth' });
  const hadIndex = item.hasAttribute('tabindex');
  if (!hadIndex) item.tabIndex = -1;
  item.focus({ preventScroll: true });
  const leave = (): void => {
    if (!hadIndex) item.removeAttribute('tabindex');
  };
  item.addEventListener('blur', leave, { once: true });
}
