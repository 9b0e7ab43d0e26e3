import type { TerminalClient } from './client.ts';
import { type ClientMessage, parseMessage, parseSize, type Size, sizeRule, type TypingAct } from './protocol.ts';

export type ClientHandlers = {
  input: (bytes: Buffer) => void;
  resize: (size: Size) => void;
  /** The client wants to know which input has been received. */
  acknowledge: () => void;
  /** The client wants the shell to end. */
  end: () => void;
  /** The client asks to type along, answers that, or ends it. */
  typing: (act: TypingAct) => void;
};

/** Handles one frame of a client. Without the subprotocol, a text frame that is not a message is typed text. */
export function receive(client: TerminalClient, frame: Buffer, isBinary: boolean, handlers: ClientHandlers): void {
  const message = isBinary ? undefined : parseMessage(frame.toString());
  if (message) follow(client, message, handlers);
  else if (isBinary || !client.hasMessages) handlers.input(frame);
  else client.answer({ type: 'error', detail: 'Not a message of terminal.v1' });
}

function follow(client: TerminalClient, message: ClientMessage, handlers: ClientHandlers): void {
  switch (message.type) {
    case 'input':
      if (typeof message.data === 'string') handlers.input(Buffer.from(message.data));
      else client.answer({ type: 'error', detail: 'data is the text that is typed' });
      break;
    case 'resize': {
      const size = parseSize(message.cols, message.rows);
      if (size) handlers.resize(size);
      else client.answer({ type: 'error', detail: sizeRule });
      break;
    }
    case 'pause':
    case 'resume':
      client.setPaused(message.type === 'pause');
      break;
    case 'acknowledge':
      handlers.acknowledge();
      break;
    case 'end':
      handlers.end();
      break;
    case 'ping':
      client.answer({ type: 'pong' });
      break;
    default:
      handlers.typing(message.type);
  }
}

/** Bytes that are kept. Beyond it, a client is not read until the terminal continues. A frame has at most 1 MiB. */
const maxKeptBytes = 64 * 1024;

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
    if (this.#bytes < maxKeptBytes) return;
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

/** Between two resizes. */
const resizePauseMs = 50;

/**
 * Applies the first resize at once, and the last of those within the pause. Each resize sends a signal to the shell, which redraws the
 * screen.
 */
export class PacedResize {
  readonly #apply: (size: Size) => void;
  #wanted: Size | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(apply: (size: Size) => void) {
    this.#apply = apply;
  }

  request(size: Size): void {
    this.#wanted = size;
    if (this.#timer) return;
    this.#wanted = undefined;
    this.#apply(size);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#wanted) this.request(this.#wanted);
    }, resizePauseMs).unref();
  }

  /** Drops a pending resize. */
  forget(): void {
    this.#wanted = undefined;
  }
}
