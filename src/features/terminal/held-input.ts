import type { TerminalClient } from './client.ts';

/** Bytes that are kept. Beyond it, a client is not read until the terminal continues. A frame has at most 1 MiB. */
const mostKept = 64 * 1024;

/** What is typed in a terminal that is held. It reaches the shell when the terminal continues, so that no accepted input is lost. */
export class HeldInput {
  #isHeld = false;
  #kept: Buffer[] = [];
  #bytes = 0;
  readonly #paused = new Set<TerminalClient>();

  get isHeld(): boolean {
    return this.#isHeld;
  }

  freeze(): void {
    this.#isHeld = true;
  }

  /** Call this only while it is held. */
  keep(client: TerminalClient, bytes: Buffer): void {
    this.#kept.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes < mostKept) return;
    this.#paused.add(client);
    client.socket.pause();
  }

  /** @returns what was typed meanwhile, and those who were not read any more */
  release(): { input: Buffer; paused: TerminalClient[] } {
    const released = { input: Buffer.concat(this.#kept), paused: [...this.#paused] };
    this.#isHeld = false;
    this.#kept = [];
    this.#bytes = 0;
    this.#paused.clear();
    return released;
  }
}
