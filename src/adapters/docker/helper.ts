import type Docker from 'dockerode';
import { readAtMost } from '../engine/bounded-output.ts';
import { labels } from '../engine/container-facts.ts';
import { demultiplex } from './demultiplex.ts';
import { graderImage } from './grader-volume.ts';

/** Maximum output of a helper in bytes. */
const outputLimit = 256 * 1024;

export type Helper = {
  /** For `/.grader/bin/bash`. */
  script: string;
  args?: readonly string[];
  networkMode: string;
  capabilities?: readonly string[];
  /** The user namespace mode, if the engine maps users. */
  usernsMode?: string;
};

/**
 * Runs a script of ours in a short-lived container of the grader's image, which no student can modify.
 * @returns its exit status and its output
 */
export async function runHelper(docker: Docker, helper: Helper): Promise<{ code: number; output: string }> {
  const { script, args = [], networkMode, capabilities = [], usernsMode } = helper;
  const container = await docker.createContainer({
    Image: graderImage,
    Labels: { [labels.uid]: 'grader' },
    Entrypoint: ['/.grader/bin/bash', '-p', '-c', `exec 2>&1\n${script}`, 'helper'],
    Cmd: [...args],
    WorkingDir: '/',
    AttachStdout: true,
    HostConfig: {
      NetworkMode: networkMode,
      CapDrop: ['ALL'],
      CapAdd: [...capabilities],
      SecurityOpt: ['no-new-privileges'],
      ReadonlyRootfs: true,
      Memory: 64 * 1024 * 1024,
      PidsLimit: 16,
      LogConfig: { Type: 'none', Config: {} },
      AutoRemove: true,
      ...(usernsMode === undefined ? {} : { UsernsMode: usernsMode }),
    },
  });
  try {
    const raw = await container.attach({ stream: true, hijack: true, stdout: true });
    const output = readAtMost(demultiplex(raw as never), outputLimit);
    const ended = container.wait({ condition: 'next-exit' });
    // If the start fails, nothing awaits these.
    output.catch(() => undefined);
    ended.catch(() => undefined);
    await container.start();
    const [{ StatusCode: code }, text] = await Promise.all([ended as Promise<{ StatusCode: number }>, output]);
    return { code, output: text };
  } catch (error) {
    // A helper that has run removes itself.
    await container.remove({ force: true }).catch(() => undefined);
    throw error;
  }
}
