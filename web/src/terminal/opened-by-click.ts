/** Milliseconds within which a terminal that appears is the answer to a click: the start of a machine can take some of them. */
const patience = 30_000;
const fields = 'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"]';

let clickedAt = Number.NEGATIVE_INFINITY;

/** A click of the pointer, or of a key on a button, after which the user has done nothing else. */
document.addEventListener(
  'click',
  ({ isTrusted }) => {
    if (isTrusted) clickedAt = performance.now();
  },
  { capture: true },
);
for (const name of ['keydown', 'wheel'] as const)
  document.addEventListener(
    name,
    (event) => {
      const isOfClick = event instanceof KeyboardEvent && (event.key === 'Enter' || event.key === ' ');
      if (!isOfClick) clickedAt = Number.NEGATIVE_INFINITY;
    },
    { capture: true, passive: true },
  );

/**
 * Whether the user has just asked for a terminal, and so expects to type into it. With a finger the keyboard would cover the page, so
 * there the terminal waits for a tap.
 */
export function wasOpenedByClick(): boolean {
  if (matchMedia('(pointer: coarse)').matches || document.activeElement?.closest(fields)) return false;
  return performance.now() - clickedAt < patience;
}
