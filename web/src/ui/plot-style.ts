/** What all plots share: pixels, and colours of the theme. */
export const plotHeight = 240;
export const plotAxis = {
  stroke: 'var(--line-strong)',
  tick: { fill: 'var(--ink-soft)', fontSize: 12 },
  tickLine: false,
};
export const plotNote = {
  background: 'var(--raised)',
  border: '1px solid var(--line-strong)',
  borderRadius: 6,
  color: 'var(--ink)',
  fontSize: 13,
};
