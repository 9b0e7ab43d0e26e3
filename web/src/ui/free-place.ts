/** A part of the window, in CSS pixels. */
type Box = { left: number; top: number; right: number; bottom: number };
/** A control in sight, and by how many pixels scrolling can still move all of it up and down. */
type Control = Box & { up: number; down: number };

const controls =
  'button:enabled, a[href], input:enabled, select:enabled, textarea:enabled, summary, [role=button], [role^=menuitem], [role=separator], [contenteditable=true], .xterm-helper-textarea';
/** What people look at meanwhile. It is covered only where there is no other place. */
const watched = '[role=dialog], [role=alertdialog], [role=timer], .xterm-screen';
const texts = 'main :is(h1, h2, h3, p, li, label, table, pre)';
/** What a covered pixel counts, beside one of what is watched: of a control that stays, and of a text that can be scrolled. */
const stuckCost = 10_000;
const textCost = 0.1;
/** Pixels between notes and what is around them, and between two places that are tried. */
const gap = 4;
const stepX = 16;
const stepY = 8;

/**
 * Finds the place for a box of a size: the highest where it covers nothing, and of those the one farthest to the right. Without such a place
 * it covers text, then what can be scrolled away from it, and never a bar that stays. @param own the element of the box
 */
export function freePlace(size: { width: number; height: number }, own: Element): { left: number; top: number } {
  const all = controlsInSight(own);
  const parts = [...document.querySelectorAll(watched)].map(boxOf);
  const lines = textsInSight();
  let best = { left: gap, top: gap };
  let least = Number.POSITIVE_INFINITY;
  for (let top = gap; top + size.height <= innerHeight - gap; top += stepY)
    for (let left = Math.max(gap, innerWidth - gap - size.width); left >= gap; left -= stepX) {
      const box = grown({ left, top, right: left + size.width, bottom: top + size.height });
      let cost = 0;
      for (const control of all) cost += (isStuck(control, box) ? stuckCost : 1) * shared(control, box);
      for (const part of parts) cost += shared(part, box);
      for (const line of lines) cost += textCost * shared(line, box);
      if (cost < least) [best, least] = [{ left, top }, cost];
      if (cost === 0) return best;
    }
  return best;
}

/** Whether an element covers a control that cannot be scrolled away from it. */
export function coversStuck(element: Element): boolean {
  const box = boxOf(element);
  return controlsInSight(element).some((control) => shared(control, box) > 0 && isStuck(control, box));
}

const boxOf = (element: Element): Box => element.getBoundingClientRect();
const grown = ({ left, top, right, bottom }: Box): Box => ({
  left: left - gap,
  top: top - gap,
  right: right + gap,
  bottom: bottom + gap,
});

/** The area that two boxes have in common. */
const shared = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

/** Whether scrolling moves a control neither above nor below a box. */
const isStuck = (control: Control, box: Box): boolean =>
  control.up < control.bottom - box.top && control.down < box.bottom - control.top;

function textsInSight(): Box[] {
  const page = document.querySelector('main')?.getBoundingClientRect();
  if (!page) return [];
  return [...document.querySelectorAll(texts)]
    .map(boxOf)
    .map(({ left, right, top, bottom }) => ({
      left,
      right,
      top: Math.max(top, page.top),
      bottom: Math.min(bottom, page.bottom),
    }))
    .filter(({ top, bottom }) => top < bottom);
}

function controlsInSight(own: Element): Control[] {
  const modal = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].at(-1);
  const found: Control[] = [];
  for (const element of document.querySelectorAll<HTMLElement>(controls)) {
    if (own.contains(element)) continue;
    const isPrompt = element.matches('.xterm-helper-textarea');
    if (!isPrompt && !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const control = inSight(element, isPrompt);
    if (!control) continue;
    // Nothing behind a dialog can be pressed before it is closed.
    const isBehind = modal !== undefined && !modal.contains(element);
    found.push(isBehind ? { ...control, up: innerHeight, down: innerHeight } : control);
  }
  return found;
}

/** The visible part of a control. That of a terminal is the line of its cursor, where its hidden field is. */
function inSight(element: HTMLElement, isPrompt: boolean): Control | undefined {
  let { left, top, right, bottom } = boxOf(element);
  if (isPrompt) {
    const screen = element.closest('.xterm')?.querySelector('.xterm-screen');
    if (!screen?.checkVisibility()) return undefined;
    ({ left, right } = boxOf(screen));
  }
  const whole = { top, bottom };
  let scroll: { up: number; down: number } | undefined;
  for (let at: HTMLElement | null = element; at; at = at.parentElement) {
    const { position, overflowY } = getComputedStyle(at);
    // A bar that stays does not move with what is around it.
    if (position === 'fixed' || position === 'sticky') scroll ??= { up: 0, down: 0 };
    if (position === 'fixed') break;
    if (at === element || overflowY === 'visible') continue;
    const frame = boxOf(at);
    left = Math.max(left, frame.left);
    right = Math.min(right, frame.right);
    top = Math.max(top, frame.top);
    bottom = Math.min(bottom, frame.bottom);
    const canScroll = overflowY !== 'hidden' && overflowY !== 'clip' && at.scrollHeight > at.clientHeight;
    if (canScroll && !scroll)
      scroll = {
        up: Math.min(at.scrollHeight - at.clientHeight - at.scrollTop, whole.top - frame.top),
        down: Math.min(at.scrollTop, frame.bottom - whole.bottom),
      };
  }
  [left, top] = [Math.max(left, 0), Math.max(top, 0)];
  [right, bottom] = [Math.min(right, innerWidth), Math.min(bottom, innerHeight)];
  // Fields that only screen readers use have one pixel.
  if (right - left < 3 || bottom - top < 3) return undefined;
  return { left, top, right, bottom, ...(scroll ?? { up: 0, down: 0 }) };
}
