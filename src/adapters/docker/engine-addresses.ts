import type Docker from 'dockerode';
import { UnavailableError } from '../../errors.ts';
import { runHelper } from './helper.ts';

/** Milliseconds for which the addresses are cached. */
const validity = 60_000;

/** The IPv4 addresses of the engine's machine, which can differ from that of the service. */
export class EngineAddresses {
  readonly #docker: Docker;
  #known: Promise<string[]> | undefined;
  #askAt = 0;

  constructor(docker: Docker) {
    this.#docker = docker;
  }

  /** @throws UnavailableError when they cannot be read */
  async get(): Promise<string[]> {
    const now = performance.now();
    if (this.#known === undefined || now >= this.#askAt) {
      this.#askAt = now + validity;
      this.#known = readAddresses(this.#docker);
      // A failure is not cached: the next call retries.
      this.#known.catch(() => {
        this.#askAt = 0;
      });
    }
    return await this.#known;
  }
}

async function readAddresses(docker: Docker): Promise<string[]> {
  const script = '/.grader/bin/busybox ip -4 -o address';
  const { code, output } = await runHelper(docker, { script, networkMode: 'host', usernsMode: 'host' });
  const addresses = [...output.matchAll(/ inet (\d+\.\d+\.\d+\.\d+)/g)].map(([, address = '']) => address);
  if (code !== 0 || addresses.length === 0) {
    throw new UnavailableError('engine_unavailable', "The addresses of the engine's machine could not be read", {
      cause: { code, output },
    });
  }
  return addresses;
}
