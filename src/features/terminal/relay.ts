import { WebSocket } from 'ws';
import { closeCodes } from './protocol.ts';
import { relayHeader } from './relay-passes.ts';

export type RelayOptions = {
  /** Of the terminal in the other process. */
  url: string;
  /** Says there whose request it is. */
  pass: string;
  /** Bytes that wait in one direction before the other side is read no more. */
  bufferBytes: number;
  /** Milliseconds that the other process has to answer. */
  patience?: number;
};

/**
 * Joins a client's socket with the process that has its terminal: frames, flow control, pings and the close code go through as they
 * are. Resolves when both ends are closed. Over `https:` the other process has to show a certificate that Node trusts.
 */
export async function relay(
  client: WebSocket,
  { url, pass, bufferBytes, patience = 5000 }: RelayOptions,
): Promise<void> {
  const upstream = new WebSocket(url, client.protocol === '' ? [] : [client.protocol], {
    headers: { [relayHeader]: pass },
    handshakeTimeout: patience,
    perMessageDeflate: false,
    autoPong: false,
  });
  const ended = Promise.all([client, upstream].map((end) => new Promise((resolve) => end.once('close', resolve))));
  let isOpen = false;
  upstream.once('open', () => {
    isOpen = true;
    client.resume();
  });
  upstream.on('error', () => {});
  client.on('error', () => {});
  pump(client, upstream, bufferBytes);
  pump(upstream, client, bufferBytes);
  // The process at the other end asks whether the client is there, and not whether we are.
  upstream.on('ping', (data) => client.readyState === WebSocket.OPEN && client.ping(data));
  client.on('pong', (data) => upstream.readyState === WebSocket.OPEN && upstream.pong(data));
  upstream.once('close', (code, reason) => {
    if (isOpen) end(client, code, reason);
    else end(client, closeCodes.tryAgainLater, Buffer.from('The process that has this terminal cannot be reached'));
  });
  client.once('close', (code, reason) => end(upstream, code, reason));
  if (client.readyState === WebSocket.CLOSED) upstream.terminate();
  await ended;
}

function pump(from: WebSocket, to: WebSocket, bufferBytes: number): void {
  from.on('message', (data: Buffer, isBinary) => {
    if (to.readyState !== WebSocket.OPEN) return;
    to.send(data, { binary: isBinary }, () => {
      if (from.isPaused && to.bufferedAmount <= bufferBytes / 4) from.resume();
    });
    if (to.bufferedAmount > bufferBytes) from.pause();
  });
}

/** A lost connection has no code that could be sent: it is lost on the other side too. */
function end(socket: WebSocket, code: number, reason: Buffer): void {
  socket.resume();
  const isSendable = (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || code >= 3000;
  if (isSendable) socket.close(code, reason);
  else if (code === 1005) socket.close();
  else socket.terminate();
}
