import type { Terminal } from '@xterm/xterm';

/** The name of who types, at the cursor. */
export class TypistLabel {
  readonly #terminal: Terminal;
  readonly #label = document.createElement('span');

  /** @param element of the terminal, which is positioned */
  constructor(terminal: Terminal, element: HTMLElement) {
    this.#terminal = terminal;
    // The strip above the terminal says it to screen readers.
    this.#label.ariaHidden = 'true';
    this.#label.className =
      'pointer-events-none absolute z-10 max-w-40 truncate rounded bg-accent px-1 text-xs text-on-accent';
    this.#label.hidden = true;
    element.append(this.#label);
    terminal.onRender(() => this.#place());
  }

  /** @param name undefined: none */
  show(name: string | undefined): void {
    this.#label.textContent = name ?? '';
    this.#label.hidden = name === undefined;
    this.#place();
  }

  #place(): void {
    if (this.#label.hidden) return;
    const { cols, rows, buffer, element } = this.#terminal;
    const screen = element?.querySelector<HTMLElement>('.xterm-screen');
    if (!screen) return;
    const { cursorX, cursorY, baseY, viewportY } = buffer.active;
    const row = baseY + cursorY - viewportY;
    const height = screen.clientHeight / rows;
    // Below the cursor, or above it in the last line. Of a cursor that is scrolled away nothing is shown.
    const top = (row + 1 < rows ? row + 1 : row - 1) * height;
    const left = Math.min((cursorX * screen.clientWidth) / cols, screen.clientWidth - this.#label.offsetWidth);
    this.#label.style.visibility = row < rows ? 'visible' : 'hidden';
    this.#label.style.transform = `translate(${Math.max(0, left)}px, ${top}px)`;
  }
}
