import type { TerminalClient } from './client.ts';

const titles = {
  watched: 'Somebody is watching this terminal',
  unwatched: 'Nobody is watching this terminal any more',
};

/** The maximum stored length of one sequence. The end of a longer one, such as a picture, is not detected. */
const longest = 8192;

/** A whole control sequence, operating system command or escape (ECMA-48, 5.4 and 5.6), whatever follows it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
const whole = /^\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07|[ -/]+[0-~]|[0-OQ-WYZ\\`-~])/; // oxlint-disable-line no-control-regex

/** The beginning of an incomplete UTF-8 character. */
const halfCharacter = /(?:[\xc2-\xf4]|[\xe0-\xf4][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{2})$/;

/**
 * Notifies the user of a terminal that it is watched: in a message, or, where the client has no messages, in the terminal's title. The
 * title is written between the characters and sequences of the output, never into one.
 */
export class WatchNotice {
  /** The sent part of an incomplete sequence, and the very last bytes, with one character for each byte. */
  #sequence = '';
  #last = '';
  #title: string | undefined;

  notify(writer: Pick<TerminalClient, 'hasMessages' | 'notify' | 'send'> | undefined, isWatched: boolean): void {
    const reason = isWatched ? 'watched' : 'unwatched';
    writer?.notify({ type: 'notice', reason, seconds_left: null });
    this.#title = writer && !writer.hasMessages ? titles[reason] : undefined;
    this.#write(writer);
  }

  /** Tracks output that was sent. */
  follow(writer: Pick<TerminalClient, 'send'> | undefined, bytes: Buffer): void {
    const start = bytes.lastIndexOf(0x1b);
    if (start >= 0) this.#sequence = bytes.toString('latin1', start, start + longest);
    else if (this.#sequence !== '') this.#sequence += bytes.toString('latin1', 0, longest);
    if (this.#sequence.length >= longest || whole.test(this.#sequence)) this.#sequence = '';
    this.#last = (this.#last + bytes.toString('latin1', Math.max(0, bytes.length - 3))).slice(-3);
    this.#write(writer);
  }

  #write(writer: Pick<TerminalClient, 'send'> | undefined): void {
    if (this.#title === undefined || this.#sequence !== '' || halfCharacter.test(this.#last)) return;
    writer?.send(Buffer.from(`\x1b]0;${this.#title}\x07`));
    this.#title = undefined;
  }
}
