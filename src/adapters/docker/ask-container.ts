import type { Duplex } from 'node:stream';
import type Docker from 'dockerode';
import { readAtMost } from './bounded-output.ts';
import { demultiplex } from './demultiplex.ts';
import { execOptions } from './gate.ts';

/** Bytes of an answer. All that is asked for is shorter. */
export const answerLimit = 256 * 1024;

/**
 * What a script of ours prints in a container, as root and with nothing but the programs of the read-only volume, which are on no path:
 * `/.grader/bin/bash` runs it. It needs a process in there, and a root in there can stop it or answer in its place.
 * @throws the engine's error, the signal's reason, or an Error where the answer is longer than `answerLimit`
 */
export async function askContainer(
  docker: Docker,
  ref: string,
  { script, abortSignal }: { script: string; abortSignal: AbortSignal },
): Promise<string> {
  let output: Duplex | undefined;
  try {
    const exec = await docker.getContainer(ref).exec({ ...execOptions(script), AttachStdout: true, abortSignal });
    const started = demultiplex(await exec.start({ hijack: true, stdin: false, abortSignal }));
    output = started;
    abortSignal.addEventListener('abort', () => started.destroy(abortSignal.reason), { once: true });
    return await readAtMost(started, answerLimit);
  } finally {
    // The engine leaves the stream of an exec open for good where the container is killed at the moment it begins.
    output?.destroy();
  }
}
