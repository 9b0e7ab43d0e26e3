export type Size = { cols: number; rows: number };
/** A terminal event, with the milliseconds since its recording began. */
export type TerminalEvent = { at: number } & ({ output: Uint8Array } | { size: Size } | { mark: string });

export type CastHeader = Size & { startedAt: Date; title: string };

/** The first line of an asciicast v2 file (https://docs.asciinema.org/manual/asciicast/v2/). */
function castHeader({ cols, rows, startedAt, title }: CastHeader): string {
  const timestamp = Math.floor(startedAt.getTime() / 1000);
  const env = { TERM: 'xterm-256color' };
  return `${JSON.stringify({ version: 2, width: cols, height: rows, timestamp, title, env })}\n`;
}

/** The lines of a terminal's events. All lines with the header never exceed `maxBytes`. */
export class CastLines {
  readonly #maxBytes: number;
  // A byte order mark is treated like any other output.
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #bytes = 0;
  #isFull = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of all lines so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** When true, there are no more lines. */
  get isFull(): boolean {
    return this.#isFull;
  }

  header(header: CastHeader): string {
    return this.#count(castHeader(header));
  }

  /**
   * A character that is split between two events is emitted complete with the second. The last line of a full recording reports the limit.
   */
  lines(events: readonly TerminalEvent[]): string {
    const lines: string[] = [];
    for (const event of events) {
      if (this.#isFull) break;
      const next = this.#lineOf(event);
      if (next === '') continue;
      const last = fullLine(event.at, this.#maxBytes);
      this.#isFull = this.#bytes + Buffer.byteLength(next) + Buffer.byteLength(last) > this.#maxBytes;
      lines.push(this.#count(this.#isFull ? last : next));
    }
    return lines.join('');
  }

  /** The bytes of a character that was never completed. */
  rest(at: number): string {
    const text = this.#decoder.decode();
    return text === '' || this.#isFull ? '' : this.#count(outputLine(at, text));
  }

  #lineOf(event: TerminalEvent): string {
    if ('mark' in event) return eventLine(event.at, 'm', event.mark);
    if ('size' in event) return eventLine(event.at, 'r', `${event.size.cols}x${event.size.rows}`);
    const text = this.#decoder.decode(event.output, { stream: true });
    return text === '' ? '' : outputLine(event.at, text);
  }

  #count(text: string): string {
    this.#bytes += Buffer.byteLength(text);
    return text;
  }
}

/** Times have six decimals, like those of asciinema. */
function eventLine(at: number, code: 'o' | 'r' | 'm', data: string): string {
  return `[${(at / 1000).toFixed(6)}, "${code}", ${JSON.stringify(data)}]\n`;
}

const outputLine = (at: number, text: string): string => eventLine(at, 'o', text);

const noteLine = (at: number, reason: string): string => outputLine(at, `\r\n[The recording ends here: ${reason}]\r\n`);

const fullLine = (at: number, maxBytes: number): string =>
  noteLine(at, `it has reached its limit of ${Math.floor(maxBytes / (1024 * 1024))} MiB`);
