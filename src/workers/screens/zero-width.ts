const pattern = /\p{Mn}|\p{Me}|\p{Cf}|[\u06de\u0c3e-\u0c40\u0cbf\u0cc6\u1160-\u11ff\u1734\u17b4\u17b5\u302e\u302f]/u;
const unknown = 0;
const [no, yes] = [1, 2];
const known = new Uint8Array(0x20000);

/** Whether the emulator may put a character into the cell of the one before it. A few more than do count as such. */
export function isZeroWidth(code: number): boolean {
  if (code < 0x300) return code === 0xad;
  if (code >= known.length) return code >= 0xe0000 && code <= 0xe0fff;
  if (known[code] === unknown) known[code] = pattern.test(String.fromCodePoint(code)) ? yes : no;
  return known[code] === yes;
}
