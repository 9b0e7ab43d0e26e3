import { remember, remembered } from '../ui/remember.ts';

/** When a paste of several lines is asked about first. `auto`: where the shell would run its lines at once. */
export const pasteChoices = ['auto', 'always', 'never'] as const;
export type PasteChoice = (typeof pasteChoices)[number];

export function rememberedPasteChoice(): PasteChoice {
  const choice = remembered('terminal-paste');
  return pasteChoices.find((one) => one === choice) ?? 'auto';
}

export const rememberPasteChoice = (choice: PasteChoice): void => remember('terminal-paste', choice);

/**
 * The text without control characters other than tabs and line breaks. An escape sequence in it could end the bracketed paste, and what
 * follows would run as if it were typed.
 */
export const cleanPaste = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed
  text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u0080-\u009f]/g, ''); // oxlint-disable-line no-control-regex

/** @param isBracketed whether the shell shows a paste before it runs it */
export function mustAsk(text: string, choice: PasteChoice, isBracketed: boolean): boolean {
  if (choice === 'never' || !/[\r\n]/.test(text)) return false;
  return choice === 'always' || !isBracketed;
}
