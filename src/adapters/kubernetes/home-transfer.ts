import type { Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { execCommand } from '../engine/gate.ts';
import type { Cluster } from './cluster.ts';
import { type Exec, type ExecEnd, openExec } from './exec-stream.ts';

/** Milliseconds that the transfer of one home may take. */
export const transferTimeout = 120_000;

/** Prints a home folder as an archive of at most one byte more than the limit. */
export const pack = (limit: number): string =>
  `/.grader/bin/busybox tar -cf - -C /home/student . 2>/dev/null | /.grader/bin/busybox head -c ${limit + 1}`;

/** Replaces a home folder by that of an archive. The input cannot be closed, so its length is known before. */
const unpack = (bytes: number): string =>
  `set -o pipefail
shopt -s dotglob nullglob
files=(/home/student/*)
((\${#files[@]} == 0)) || /.grader/bin/busybox rm -rf -- "\${files[@]}"
/.grader/bin/busybox head -c ${bytes} | /.grader/bin/busybox tar -xpf - -C /home/student`;

/** Passes the output of a script of ours in a container to a reader, and waits for it. @throws what either of them throws */
export async function readFromPod<Result>(
  cluster: Cluster,
  pod: string,
  { script, signal }: { script: string; signal: AbortSignal },
  read: (exec: Exec) => Promise<Result>,
): Promise<Result> {
  const exec = await openExec(cluster, pod, { command: execCommand(script), hasInput: false, signal });
  const giveUp = () => exec.stream.destroy(signal.reason as Error);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await read(exec);
  } finally {
    signal.removeEventListener('abort', giveUp);
    exec.stream.destroy();
  }
}

/**
 * The bytes of an archive, which must end as archives do: with two blocks of zeros. That proves that it is complete, whatever tar
 * reports about a file that it could not read.
 */
export async function* whole(content: AsyncIterable<Buffer>, ended: Exec['ended']): AsyncGenerator<Buffer> {
  let last: Buffer = Buffer.alloc(0);
  for await (const chunk of content) {
    last = Buffer.concat([last, chunk]).subarray(-1024);
    yield chunk;
  }
  const end = await ended;
  if (!end || !('code' in end) || last.length < 1024 || last.some((byte) => byte !== 0)) {
    throw new IncompleteHomeError(end);
  }
}

/** The archive of a home folder was cut. */
export class IncompleteHomeError extends Error {
  /** The exit code of the command, if it is known. */
  readonly code: number | undefined;

  constructor(end: ExecEnd | undefined) {
    super('the home folder could not be read completely', { cause: end });
    this.name = 'IncompleteHomeError';
    this.code = end && 'code' in end ? end.code : undefined;
  }
}

/** Brings a home back into a Pod that runs, in place of the image's. @throws Error if it could not be restored */
export async function restoreHome(
  cluster: Cluster,
  pod: string,
  home: { bytes: number; content: Readable },
  signal: AbortSignal,
): Promise<void> {
  const command = execCommand(unpack(home.bytes));
  let stream: Duplex | undefined;
  const giveUp = () => stream?.destroy(signal.reason as Error);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    const exec = await openExec(cluster, pod, { command, hasInput: true, signal });
    stream = exec.stream;
    stream.resume();
    await pipeline(home.content, stream, { signal, end: false });
    const end = await exec.ended;
    if (!end || !('code' in end) || end.code !== 0)
      throw new Error('the home folder could not be restored', { cause: end });
  } finally {
    signal.removeEventListener('abort', giveUp);
    home.content.destroy();
    stream?.destroy();
  }
}
