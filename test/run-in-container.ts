import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type Docker from 'dockerode';

/** Runs a bash script in a container through the engine, as a user, to its end. `output` combines both streams. */
export async function runInContainer(
  docker: Docker,
  ref: string,
  script: string,
  user = 'student',
  // The working directory of a student's shell. The containers themselves start in `/`.
  WorkingDir = '/home/student',
): Promise<{ code: number; output: string }> {
  const Env = user === 'student' ? ['HOME=/home/student', 'USER=student'] : ['HOME=/root'];
  const options = { Cmd: ['bash', '-c', script], User: user, WorkingDir, Env, AttachStdout: true, AttachStderr: true };
  const exec = await docker.getContainer(ref).exec(options);
  const stream = await exec.start({});
  const both = new PassThrough();
  docker.modem.demuxStream(stream, both, both);
  stream.once('close', () => both.end());
  stream.once('end', () => both.end());
  const output = await text(both);
  return { code: (await exec.inspect()).ExitCode ?? -1, output };
}
