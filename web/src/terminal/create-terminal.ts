import '@xterm/xterm/css/xterm.css';
import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { WebglAddon } from '@xterm/addon-webgl';
import { type ITerminalOptions, Terminal } from '@xterm/xterm';
import { widenEmoji } from '../../../packages/screens/character-widths.ts';
import { copyText } from '../ui/copy-text.ts';
import { terminalAppearance } from './appearance.ts';
import { misreportedKey } from './sticky-keys.ts';

/** What the user wants beside the shell, by a shortcut. */
export type Shortcuts = {
  leave: () => void;
  find: () => void;
  fullScreen: () => void;
  newTab: () => void;
  nextTab: () => void;
  previousTab: () => void;
  /** Back to the text beside the terminal. */
  toText: () => void;
  /** Nobody types along any more. */
  endTyping: () => void;
  /** A selection could not be copied. */
  notCopied: () => void;
};

const shortcutOf: Record<string, keyof Shortcuts> = {
  ArrowDown: 'leave',
  KeyF: 'find',
  Enter: 'fullScreen',
  KeyS: 'newTab',
  ArrowRight: 'nextTab',
  ArrowLeft: 'previousTab',
  ArrowUp: 'toText',
  KeyE: 'endTyping',
};

const isMac = /^Mac|^iP/.test(navigator.platform);

/** xterm.js in an element, with its addons. */
export function createTerminal(element: HTMLElement, options: ITerminalOptions, shortcuts: Shortcuts) {
  const terminal = new Terminal({ ...terminalAppearance, scrollback: 5000, allowProposedApi: true, ...options });
  widenEmoji(terminal);
  const fit = new FitAddon();
  const search = new SearchAddon();
  terminal.loadAddon(fit);
  terminal.loadAddon(search);
  terminal.loadAddon(new WebLinksAddon((_event, address) => window.open(address, '_blank', 'noopener,noreferrer')));
  terminal.open(element);
  drawByGraphicsCard(terminal);
  terminal.attachCustomKeyEventHandler((event) => {
    // The browser pastes, once. Otherwise xterm.js would send the control character, and nothing would be pasted.
    if (event.ctrlKey && !event.shiftKey && !event.altKey && event.code === 'KeyV' && !isMac) return false;
    const mended = misreportedKey(event);
    if (mended !== undefined) {
      terminal.input(mended);
      event.preventDefault();
      return false;
    }
    if (!event.ctrlKey || !event.shiftKey || event.type !== 'keydown') return true;
    const shortcut = shortcutOf[event.code];
    if (shortcut) shortcuts[shortcut]();
    else if (event.code === 'KeyC') {
      const selected = terminal.getSelection();
      if (selected !== '') void copyText(selected).then((isCopied) => isCopied || shortcuts.notCopied());
    } else return true;
    event.preventDefault();
    return false;
  });
  return { terminal, fit, search };
}

/** WebGL draws several times faster. Where it is missing or lost, xterm.js renders with DOM elements. */
function drawByGraphicsCard(terminal: Terminal): void {
  try {
    const addon = new WebglAddon();
    addon.onContextLoss(() => addon.dispose());
    terminal.loadAddon(addon);
  } catch {
    // WebGL is not available.
  }
}
