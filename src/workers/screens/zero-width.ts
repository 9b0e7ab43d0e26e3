const pattern = /\p{Mn}|\p{Me}|\p{Cf}/u;
/** Further ranges that the emulator treats as zero-width. */
const others = [
  [0x06de, 0x06de],
  [0x0c3e, 0x0c40],
  [0x0cbf, 0x0cbf],
  [0x0cc6, 0x0cc6],
  [0x1160, 0x11ff],
  [0x1734, 0x1734],
  [0x17b4, 0x17b5],
  [0x302e, 0x302f],
  // Skin tones of emoji.
  [0x1f3fb, 0x1f3ff],
] as const;
const unknown = 0;
const [no, yes] = [1, 2];
const known = new Uint8Array(0x20000);

/** Whether the emulator may put a character into the cell of the previous one. The set is slightly too large. */
export function isZeroWidth(code: number): boolean {
  if (code < 0x300) return code === 0xad;
  if (code >= known.length) return code >= 0xe0000 && code <= 0xe0fff;
  if (known[code] === unknown) known[code] = isMark(code) ? yes : no;
  return known[code] === yes;
}

const isMark = (code: number): boolean =>
  pattern.test(String.fromCodePoint(code)) || others.some(([first, last]) => code >= first && code <= last);
