import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import type Docker from 'dockerode';
import { demultiplex } from './demultiplex.ts';

/**
 * What a script of ours prints in a container, as root and with nothing but the programs of the read-only volume, which are on no path:
 * `/.grader/bin/bash` runs it. It needs a process in there, and a root in there can stop it or answer in its place.
 * @throws the engine's error, or the signal's reason
 */
export async function askContainer(
  docker: Docker,
  ref: string,
  { script, abortSignal }: { script: string; abortSignal: AbortSignal },
): Promise<string> {
  const Cmd = ['/.grader/bin/bash', '-p', '-c', script];
  let output: Duplex | undefined;
  try {
    const options = { Cmd, User: '0:0', AttachStdout: true, AttachStderr: true, abortSignal };
    const exec = await docker.getContainer(ref).exec(options);
    const started = demultiplex(await exec.start({ hijack: true, stdin: false, abortSignal }));
    output = started;
    abortSignal.addEventListener('abort', () => started.destroy(abortSignal.reason), { once: true });
    return await text(started);
  } finally {
    // The engine leaves the stream of an exec open for good where the container is killed at the moment it begins.
    output?.destroy();
  }
}
