import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import type Docker from 'dockerode';
import { until } from './until.ts';

/** A frame as tcpdump prints it: its sender, and the rest of the line. */
export type Frame = { from: string; text: string };

/**
 * Captures all traffic from containers to a bridge of the engine's machine, as that machine sees it. tcpdump runs in the machine's own
 * network, whatever namespace the engine is in. The program comes from this machine, so the engine must share its file system.
 */
export class HostCapture implements AsyncDisposable {
  readonly #container: Docker.Container;
  #output = '';

  private constructor(container: Docker.Container) {
    this.#container = container;
  }

  static async start(docker: Docker, bridge: string): Promise<HostCapture> {
    const container = await docker.createContainer({
      name: `test-capture-${randomUUID()}`,
      Image: 'platform-sandbox',
      User: '0:0',
      WorkingDir: '/',
      Entrypoint: ['/usr/bin/tcpdump', '-i', bridge, '-Q', 'in', '-e', '-n', '-l', '--immediate-mode', '-Z', 'root'],
      HostConfig: {
        NetworkMode: 'host',
        Binds: ['/usr:/usr:ro'],
        CapDrop: ['ALL'],
        CapAdd: ['NET_RAW', 'NET_ADMIN', 'SETUID', 'SETGID'],
      },
    });
    const capture = new HostCapture(container);
    try {
      const stream = await container.attach({ stream: true, stdout: true, stderr: true });
      const both = new PassThrough().setEncoding('utf8').on('data', (text: string) => {
        capture.#output += text;
      });
      docker.modem.demuxStream(stream, both, both);
      await container.start();
      await until(
        () => /listening on/.test(capture.#output),
        () => `tcpdump on ${bridge}: ${capture.#output}`,
      );
      return capture;
    } catch (error) {
      await capture[Symbol.asyncDispose]();
      throw error;
    }
  }

  frames(): Frame[] {
    // The last line may be incomplete.
    const lines = this.#output.split('\n').slice(0, -1);
    return lines.flatMap((line) => {
      const [, from, text] = /^\S+ ((?:[0-9a-f]{2}:){5}[0-9a-f]{2}) (> .*)$/.exec(line) ?? [];
      return from !== undefined && text !== undefined ? [{ from, text }] : [];
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#container.remove({ force: true });
  }
}
