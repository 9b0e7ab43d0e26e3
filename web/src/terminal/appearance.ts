import type { ITerminalOptions } from '@xterm/xterm';

/** Dark in both themes, like most terminals. Text on it always has a contrast of 4.5. */
export const terminalAppearance: ITerminalOptions = {
  theme: { background: '#10191a', foreground: '#e6efee', cursor: '#5ec9bc', selectionBackground: '#2f5d5a' },
  fontFamily: 'ui-monospace, "Cascadia Code", "DejaVu Sans Mono", Menlo, Consolas, monospace',
  minimumContrastRatio: 4.5,
  cursorBlink: false,
  disableStdin: true,
};
