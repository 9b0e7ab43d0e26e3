/**
 * The same program with escapes in place of other characters. V8 keeps the text of a whole file as one string, with two bytes for each
 * character as soon as one of them is above U+00FF.
 * @throws Error for a raw template with such characters, which an escape would change
 */
export function toAscii(code: string): string {
  const [raw] = /\bString\.raw`[^`]*[\u0080-\uffff]/.exec(code) ?? [];
  if (raw !== undefined) throw new Error(`Escapes would change ${raw}`);
  return code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
