import type { TerminalClient } from './client.ts';
import { type ClientMessage, parseMessage, parseSize, type Size, sizeRule } from './protocol.ts';

export type ClientHandlers = {
  input: (bytes: Buffer) => void;
  resize: (size: Size) => void;
  /** The client wants to know which input has been received. */
  acknowledge: () => void;
  /** The client wants the shell to end. */
  end: () => void;
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
  }
}
