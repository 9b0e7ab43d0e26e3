/** Characters of a line that are looked at: longer ones are data. */
const maxLine = 500;

/**
 * Reads the lines that somebody types at a shell. It follows the editing of a line as far as input alone tells: what is completed or recalled
 * by the shell is not in it. At most one line is in memory.
 */
export class CommandLines {
  readonly #onLine: (line: string) => void;
  #line = '';
  /** Within an escape sequence, such as that of an arrow key: after ESC, or after ESC [. */
  #escape: 'no' | 'begun' | 'long' = 'no';

  /** @param onLine gets each line in its normal form */
  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  /** @param text of whole characters */
  add(text: string): void {
    for (const character of text) this.#add(character);
  }

  #add(character: string): void {
    if (this.#escape === 'begun') this.#escape = character === '[' || character === 'O' ? 'long' : 'no';
    else if (this.#escape === 'long') this.#escape = /[@-~]/.test(character) ? 'no' : 'long';
    else if (character === '\u001b') this.#escape = 'begun';
    else if (character === '\r' || character === '\n') this.#end();
    else if (character === '\u007f' || character === '\b') this.#line = this.#line.slice(0, -1);
    // Ctrl+C and Ctrl+U discard the line.
    else if (character === '\u0003' || character === '\u0015') this.#line = '';
    else if (character >= ' ' && this.#line.length < maxLine) this.#line += character;
  }

  #end(): void {
    // Blanks and quotes differ between people who type the same.
    const line = this.#line.replace(/["']/g, '').replace(/\s+/g, ' ').trim();
    this.#line = '';
    if (line !== '') this.#onLine(line);
  }
}
