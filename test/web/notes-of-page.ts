import assert from 'node:assert/strict';
import type { JSHandle, Page } from 'playwright-core';

const controls = 'button:enabled, a[href], input:enabled, select:enabled, textarea:enabled, summary, [role=separator]';

/**
 * The rectangle of no enabled control in sight intersects that of a note. A control that can be scrolled out from under the notes is
 * excepted, one in a bar that stays is not.
 */
export async function assertNothingCovered(page: Page): Promise<void> {
  const covered = await page.evaluate((selector) => {
    const notes = [...document.querySelectorAll('[role=region] > ol > li')].map((note) => note.getBoundingClientRect());
    if (notes.length === 0) return ['there are no notes'];
    const outside = ({ left, top, right, bottom }: DOMRect) =>
      left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
    if (notes.some(outside)) return ['a note is not in the window'];
    /** What is seen of an element, between the edges of all that scrolls. */
    const seen = (element: Element) => {
      let { left, top, right, bottom } = element.getBoundingClientRect();
      for (let at = element.parentElement; at; at = at.parentElement) {
        if (getComputedStyle(at).overflowY === 'visible') continue;
        const frame = at.getBoundingClientRect();
        [left, right] = [Math.max(left, frame.left), Math.min(right, frame.right)];
        [top, bottom] = [Math.max(top, frame.top), Math.min(bottom, frame.bottom)];
      }
      return { left, top, right, bottom };
    };
    const isCovered = (element: Element) => {
      const { left, top, right, bottom } = seen(element);
      if (right - left < 2 || bottom - top < 2) return false;
      return notes.some((note) => left < note.right && right > note.left && top < note.bottom && bottom > note.top);
    };
    /** Scrolls all that contains the element, as a user can, and returns everything to where it was. */
    const isReachable = (element: Element) => {
      const scrollers: [Element, number][] = [];
      for (let at = element.parentElement; at; at = at.parentElement) scrollers.push([at, at.scrollTop]);
      const reached = (['start', 'center', 'end'] as const).some((block) => {
        element.scrollIntoView({ block, behavior: 'instant' });
        const { top, bottom } = seen(element);
        return bottom - top >= 2 && !isCovered(element);
      });
      for (const [scroller, top] of scrollers) scroller.scrollTop = top;
      return reached;
    };
    const modal = document.querySelector('[role=alertdialog], [role=dialog]');
    return [...(modal ?? document).querySelectorAll(selector)]
      .filter((element) => element.closest('[role=region] > ol > li') === null)
      .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .filter((element) => isCovered(element) && !isReachable(element))
      .map((element) => element.outerHTML.slice(0, 100));
  }, controls);
  assert.deepEqual(covered, []);
}

/** The boxes of all controls in sight that are not in a note. */
export const controlBoxes = (page: Page): Promise<string[]> =>
  page.evaluate(
    (selector) =>
      [...document.querySelectorAll(selector)]
        .filter((element) => element.closest('[role=region] > ol > li') === null && element.checkVisibility())
        .map((element) => `${element.outerHTML.slice(0, 60)} ${JSON.stringify(element.getBoundingClientRect())}`),
    controls,
  );

/** Whether the next note is in the window as soon as it is in the page, before any frame is drawn: one element, once there is a note. */
export const placeOfNextNote = (page: Page): Promise<JSHandle<{ isInWindow: boolean }[]>> =>
  page.evaluateHandle(() => {
    const seen: { isInWindow: boolean }[] = [];
    new MutationObserver((_, observer) => {
      const note = document.querySelector('[role=region] > ol > li');
      if (!note) return;
      observer.disconnect();
      // The page's own observers come first.
      queueMicrotask(() => {
        const { left, top, right, bottom } = note.getBoundingClientRect();
        seen.push({ isInWindow: left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight });
      });
    }).observe(document.body, { childList: true, subtree: true });
    return seen;
  });
