/** What all plots share: pixels, and colours of the theme. */
export const plotHeight = 240;
export const plotAxis = {
  stroke: 'var(--line-strong)',
  tick: { fill: 'var(--ink-soft)', fontSize: 12 },
  tickLine: false,
};
/** Where there is no room for all, every second tick is left out, or every third: the distances stay equal. */
export const evenTicks = { interval: 'equidistantPreserveStart', minTickGap: 28 } as const;
export const plotNote = {
  background: 'var(--raised)',
  border: '1px solid var(--line-strong)',
  borderRadius: 6,
  color: 'var(--ink)',
  fontSize: 13,
};
