import type { Duplex } from 'node:stream';
import type Docker from 'dockerode';
import { readAtMost } from '../engine/bounded-output.ts';
import { execCommand, homeOfRoot } from '../engine/gate.ts';
import { demultiplex } from './demultiplex.ts';

/** Maximum bytes of an answer. All legitimate answers are shorter. */
export const answerLimit = 256 * 1024;

/**
 * Runs a script of ours in a container and returns its output. The script runs as root with `/.grader/bin/bash`, without a PATH,
 * and uses only programs of the read-only volume. It needs a free process in the container. Root in the container can stop it or
 * forge its output.
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
    // If the container is killed while an exec starts, the engine never closes the stream.
    output?.destroy();
  }
}

/** The engine's options for a script that runs as root in a container. It starts in `/`, which a student cannot replace. */
export const execOptions = (script: string) => ({
  Cmd: execCommand(script),
  Env: [`HOME=${homeOfRoot}`],
  User: '0:0',
  WorkingDir: '/',
});
