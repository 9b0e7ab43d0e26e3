/** Keys of the bar for phones that apply to the next key. */
export type Modifiers = { isControl: boolean; isAlt: boolean };
export const noModifiers: Modifiers = { isControl: false, isAlt: false };

export type ArrowKey = 'ArrowUp' | 'ArrowDown' | 'ArrowRight' | 'ArrowLeft';
const arrows: Record<ArrowKey, string> = { ArrowUp: 'A', ArrowDown: 'B', ArrowRight: 'C', ArrowLeft: 'D' };

/** What one typed character is with the modifiers, as terminals send it. Several characters, such as a whole word, stay unchanged. */
export function withModifiers(data: string, { isControl, isAlt }: Modifiers): string {
  if (!/^.$/su.test(data)) return data;
  const key = isControl ? controlOf(data) : data;
  return isAlt ? `\x1b${key}` : key;
}

function controlOf(char: string): string {
  if (char === ' ') return '\0';
  if (char === '?') return '\x7f';
  const upper = char.toUpperCase();
  return upper >= '@' && upper <= '_' ? String.fromCharCode(upper.charCodeAt(0) & 0x1f) : char;
}

/** @param isApplication whether the program has asked for the other form of the arrow keys */
export function arrowSequence(key: ArrowKey, { isControl, isAlt }: Modifiers, isApplication: boolean): string {
  const modifiers = 1 + (isAlt ? 2 : 0) + (isControl ? 4 : 0);
  if (modifiers > 1) return `\x1b[1;${modifiers}${arrows[key]}`;
  return `\x1b${isApplication ? 'O' : '['}${arrows[key]}`;
}

const enterKeyCode = 13;

/**
 * The input of a key that the browser reports with a wrong `keyCode`: Safari reports Ctrl with a letter of an iPad's keyboard as Enter, by
 * which xterm.js would go. Undefined for any other.
 */
export function misreportedKey(event: {
  type: string;
  key: string;
  keyCode: number;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
}): string | undefined {
  const { type, key, keyCode, ctrlKey, altKey, metaKey } = event;
  const isWrong = type === 'keydown' && keyCode === enterKeyCode && ctrlKey && !metaKey && /^[!-~]$/.test(key);
  return isWrong ? withModifiers(key, { isControl: true, isAlt: altKey }) : undefined;
}
