import '@xterm/xterm/css/xterm.css';
import { Terminal } from '@xterm/xterm';
import { widenEmoji } from '../../../packages/screens/character-widths.ts';
import { terminalAppearance } from '../terminal/appearance.ts';
import type { Size } from './cast.ts';
import type { CastScreen } from './playback.ts';

const [smallestFont, largestFont, largestFontInFullScreen] = [6, 15, 40];

/** The share of the window that the screen takes at most: its controls are below it, without scrolling. */
const largestShare = 0.7;

/** The terminal on which a recording is drawn. It accepts no input. Its text is as large as the window allows. */
export class PlayerScreen implements CastScreen {
  readonly #terminal: Terminal;
  readonly #box: HTMLElement;
  readonly #observer = new ResizeObserver(() => this.#fit());

  constructor(box: HTMLElement) {
    this.#box = box;
    this.#terminal = new Terminal({
      ...terminalAppearance,
      fontSize: largestFont,
      scrollback: 0,
      allowProposedApi: true,
      // A link in a student's output must not be opened.
      linkHandler: { activate: () => {} },
    });
    widenEmoji(this.#terminal);
    // The player handles the keys, with a listener around the terminal.
    this.#terminal.attachCustomKeyEventHandler(() => false);
    this.#terminal.open(box);
    this.#terminal.textarea?.setAttribute('tabindex', '-1');
    this.#observer.observe(box);
    // The height counts as well.
    this.#observer.observe(document.documentElement);
  }

  /** Whether screen readers can read the screen. During playback they would announce each change. */
  set isReadable(isReadable: boolean) {
    this.#terminal.options.screenReaderMode = isReadable;
  }

  reset(size: Size): void {
    this.#terminal.reset();
    this.resize(size);
  }

  resize({ cols, rows }: Size): void {
    this.#terminal.resize(cols, rows);
    this.#fit();
  }

  write(text: string): Promise<void> {
    return new Promise((resolve) => this.#terminal.write(text, resolve));
  }

  dispose(): void {
    this.#observer.disconnect();
    this.#terminal.dispose();
  }

  #fit(): void {
    const screen = this.#box.querySelector('.xterm-screen');
    const { fontSize = largestFont } = this.#terminal.options;
    if (!screen || screen.clientWidth === 0 || this.#box.clientWidth === 0) return;
    const isFull = document.fullscreenElement?.contains(this.#box) ?? false;
    const wide = (fontSize * this.#box.clientWidth) / screen.clientWidth;
    const height = isFull ? this.#box.clientHeight : innerHeight * largestShare;
    const high = (fontSize * height) / screen.clientHeight;
    const largest = isFull ? largestFontInFullScreen : largestFont;
    const next = Math.max(smallestFont, Math.min(largest, Math.floor(Math.min(wide, high) * 2) / 2));
    if (next !== fontSize) this.#terminal.options.fontSize = next;
  }
}
