import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { fairDuplex, turn } from '../engine/fair-duplex.ts';
import type { Cluster } from './cluster.ts';
import { ApiError, failureOf } from './failures.ts';
import { mainContainer } from './pod-manifest.ts';

/** The streams of an exec: the first byte of each message. */
const channels = { input: 0, output: 1, status: 3 };
/** Bytes that wait to be sent, above which further writes wait. */
const sendLimit = 64 * 1024;
/** Maximum bytes of one message. The kubelet sends 32 KiB. */
const messageLimit = 4 * 1024 * 1024;

export type Exec = {
  /** Standard input and output. Standard error is not requested. */
  stream: Duplex;
  /** How the command ended, as the kubelet reported it: its exit code, or the reason why it could not run. Undefined: unknown. */
  ended: Promise<ExecEnd | undefined>;
};

export type ExecEnd = { code: number } | { reason: string };

/**
 * Runs a command in the main container of a Pod, over a WebSocket (protocol `v4.channel.k8s.io`).
 * @throws ApiError, the error of the connection, the signal's reason
 */
export async function openExec(
  cluster: Cluster,
  pod: string,
  { command, hasInput, signal }: { command: readonly string[]; hasInput: boolean; signal: AbortSignal },
): Promise<Exec> {
  const query = new URLSearchParams({
    container: mainContainer,
    stdin: `${hasInput}`,
    stdout: 'true',
    stderr: 'false',
  });
  for (const word of command) query.append('command', word);
  const path = `${cluster.path('pods', pod, 'exec')}?${query}`;
  for (let count = 1; ; count += 1) {
    try {
      return await connect(cluster, path, signal);
    } catch (error) {
      // A kubelet can confuse a Pod for a moment with the one that had its name before.
      if (!(error instanceof ApiError) || !/container not found/.test(error.message) || count === patience.tries)
        throw error;
      await delay(patience.pause, undefined, { signal });
    }
  }
}

/** How often a container that is not found is looked for, and the milliseconds between. */
const patience = { tries: 16, pause: 250 };

async function connect(cluster: Cluster, path: string, signal: AbortSignal): Promise<Exec> {
  const { url, options } = await cluster.socket(path);
  signal.throwIfAborted();
  const socket = new WebSocket(url, ['v4.channel.k8s.io'], {
    ...options,
    perMessageDeflate: false,
    skipUTF8Validation: true,
    maxPayload: messageLimit,
  });
  // The first message can arrive together with the answer.
  const exec = streamOf(socket);
  await opened(socket, signal);
  return exec;
}

async function opened(socket: WebSocket, signal: AbortSignal): Promise<void> {
  const giveUp = () => socket.terminate();
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
      socket.once('unexpected-response', (_request, answer: IncomingMessage) => {
        failureOf(answer).then(reject, reject);
      });
    });
  } catch (error) {
    socket.terminate();
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

function streamOf(socket: WebSocket): Exec {
  const { promise: ended, resolve: end } = Promise.withResolvers<ExecEnd | undefined>();
  const { stream, received, drained, closed } = fairDuplex(
    {
      isDestroyed: () => socket.readyState !== WebSocket.OPEN,
      pause: () => socket.pause(),
      resume: () => socket.resume(),
      write: (chunk) => {
        const message = Buffer.allocUnsafe(chunk.length + 1);
        message[0] = channels.input;
        chunk.copy(message, 1);
        socket.send(message, () => socket.bufferedAmount < sendLimit && drained());
        return socket.bufferedAmount < sendLimit;
      },
      // The protocol cannot close the input alone. A command that needs its end gets the length of the input.
      end: (done) => {
        socket.close();
        done();
      },
      destroy: () => socket.terminate(),
    },
    (pending, push) => {
      push(pending.subarray(0, turn.bytes));
      return pending.subarray(turn.bytes);
    },
  );
  socket.on('message', (message: Buffer) => {
    if (message.length < 2) return;
    if (message[0] === channels.output) received(message.subarray(1));
    if (message[0] === channels.status) end(endOf(message.subarray(1)));
  });
  socket.on('error', (error) => stream.destroy(error));
  socket.on('close', () => {
    end(undefined);
    closed();
  });
  // Its user may have none yet, and an error of the connection must not end the process.
  stream.on('error', () => undefined);
  return { stream, ended };
}

function endOf(status: Buffer): ExecEnd {
  const {
    status: outcome,
    message = '',
    details,
  } = JSON.parse(status.toString()) as {
    status: string;
    message?: string;
    details?: { causes?: { reason: string; message: string }[] };
  };
  if (outcome === 'Success') return { code: 0 };
  const code = details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message;
  return code === undefined ? { reason: message } : { code: Number(code) };
}
