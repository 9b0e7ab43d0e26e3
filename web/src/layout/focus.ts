import { router } from '../routing/router.ts';

/** What can have the focus. */
const focusable = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex]';

/** Follows the focus in the content of the page until `end`. */
export function followFocus(main: HTMLElement, end: AbortSignal): void {
  keepFocus(main, end);
  let isForward = false;
  let over = new AbortController();
  const forgetWay = router.history.subscribe(({ action }) => {
    isForward = action.type === 'PUSH';
  });
  const forgetPages = router.subscribe('onRendered', ({ pathChanged }) => {
    over.abort();
    over = new AbortController();
    if (pathChanged && isForward) focusTitle(main, over);
  });
  end.addEventListener('abort', () => {
    over.abort();
    forgetWay();
    forgetPages();
  });
}

/**
 * Keeps the keyboard's place where an action removes what had the focus, such as the button of a row with its row: the browser would begin
 * at the top of the page again. The focus goes to what follows in the nearest part of the page that is left.
 */
function keepFocus(main: HTMLElement, end: AbortSignal): void {
  /** The element that had the focus, after those that contain it, the nearest first, and what comes after each. */
  let chain: { parent: Element; next: Element[] }[] = [];
  let focused: Element | null = null;
  const remember = ({ target }: Event): void => {
    focused = target instanceof Element && main.contains(target) ? target : null;
    chain = [];
    for (let element = focused; element && element !== main; element = element.parentElement) {
      const siblings = [...(element.parentElement?.children ?? [])];
      const place = siblings.indexOf(element);
      const next = [...siblings.slice(place + 1), ...siblings.slice(0, place).reverse()];
      if (element.parentElement) chain.push({ parent: element.parentElement, next });
    }
  };
  const observer = new MutationObserver(() => {
    if (focused === null || focused.isConnected) return;
    const lost = focused;
    // A dialog that closes, or the page itself, may lead the focus elsewhere.
    setTimeout(() => {
      if (focused !== lost || document.activeElement !== document.body) return;
      const heir = heirOf(chain, main);
      heir?.focus({ preventScroll: true });
    });
  });
  document.addEventListener('focusin', remember, { signal: end });
  observer.observe(main, { childList: true, subtree: true });
  end.addEventListener('abort', () => observer.disconnect());
}

/** Milliseconds for which the title of a page is awaited. */
const patience = 5000;

/**
 * Leads the focus to the title of a page that a link has led to, so that the keyboard and a screen reader go on from there. The page before
 * it can still be drawn, with its own title, while the script of the new one is loaded: the title that replaces it gets the focus as well.
 */
function focusTitle(main: HTMLElement, over: AbortController): void {
  const { activeElement: left } = document;
  let focused: Element | null = null;
  const focus = (): void => {
    const title = main.querySelector('h1');
    const { activeElement } = document;
    // A field or a terminal of the page may have the focus by itself, or the user may have moved on. The content has it where what had it is
    // gone: see `keepFocus`.
    if (![left, document.body, main, focused].includes(activeElement)) over.abort();
    else if (title && title !== focused) {
      focused = title;
      title.tabIndex = -1;
      title.focus({ preventScroll: true });
    }
  };
  const observer = new MutationObserver(focus);
  const timer = setTimeout(() => over.abort(), patience);
  over.signal.addEventListener('abort', () => {
    observer.disconnect();
    clearTimeout(timer);
  });
  observer.observe(main, { childList: true, subtree: true });
  focus();
}

/** What is the nearest to the element that is gone. */
function heirOf(chain: { parent: Element; next: Element[] }[], main: HTMLElement): HTMLElement | null {
  for (const { parent, next } of chain) {
    if (!parent.isConnected || !main.contains(parent)) continue;
    for (const element of next) {
      if (!element.isConnected) continue;
      const found = element.matches(focusable) ? element : element.querySelector(focusable);
      if (found instanceof HTMLElement && found.checkVisibility()) return found;
    }
  }
  return main;
}
