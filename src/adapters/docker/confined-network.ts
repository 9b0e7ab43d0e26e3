import type Docker from 'dockerode';
import { UnavailableError } from '../../errors.ts';
import { readAtMost } from '../engine/bounded-output.ts';
import { labels } from '../engine/container-facts.ts';
import { confinedSign } from '../engine/gate.ts';
import { confine, type Internet, privateNetworks } from '../engine/internet.ts';
import { demultiplex } from './demultiplex.ts';
import { statusOf } from './failures.ts';
import { graderImage } from './grader-volume.ts';

export const internetNetwork = 'platform-internet';

/**
 * The network for containers with internet: containers on it reach the outside and not each other. Services that start at the same time
 * may each make one, whatever the engine's check says, and containers cannot join a name that two networks bear: the oldest stays.
 */
export async function ensureInternetNetwork(docker: Docker, name = internetNetwork): Promise<string> {
  const ofThatName = async () => {
    const networks = await docker.listNetworks({ filters: { name: [name] } });
    return networks.filter(({ Name }) => Name === name).sort((one, other) => (one.Created < other.Created ? -1 : 1));
  };
  if ((await ofThatName()).length === 0) {
    const options = { Name: name, CheckDuplicate: true, Driver: 'bridge', EnableIPv6: false };
    const isolation = { 'com.docker.network.bridge.enable_icc': 'false' };
    await docker.createNetwork({ ...options, Options: isolation }).catch(unless(409));
  }
  const [, ...others] = await ofThatName();
  // Another service may have removed it already.
  for (const { Id } of others) await docker.getNetwork(Id).remove().catch(unless(404));
  return name;
}

const unless = (status: number) => (error: unknown) => {
  if (statusOf(error) !== status) throw error;
};

/**
 * Restricts a container to the public internet. Blocked are private networks, addresses of the link (the host and other
 * containers), all other addresses of the host, IPv6, broadcast and multicast. The container lacks the capability to change this: a
 * short-lived helper container configures it in the same network namespace. Idempotent.
 * @throws UnavailableError on failure; the container must not run then
 */
export async function confineNetwork(
  docker: Docker,
  ref: string,
  { dns, blocked }: Internet,
  machine: EngineAddresses,
): Promise<void> {
  const networks = [...privateNetworks, ...blocked, ...(await machine.get())];
  const { code, output } = await runHelper(docker, {
    script: confine,
    args: [dns.join(' '), [...new Set(networks)].join(' '), confinedSign],
    networkMode: `container:${ref}`,
    capabilities: ['NET_ADMIN'],
  });
  if (code !== 0) {
    throw new UnavailableError('engine_unavailable', 'The network of a container could not be confined', {
      cause: `ended with ${code}: ${output}`,
    });
  }
}

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

/** Milliseconds that a helper may run: what it runs of an examined image may never end. */
const helperPatience = 60_000;

/** Maximum output of a helper in bytes. */
const outputLimit = 256 * 1024;

export type Helper = {
  /** Another image than the grader's, and the volume with the grader's tools, which it lacks. */
  image?: { id: string; graderVolume: string };
  /** For `/.grader/bin/bash`. */
  script: string;
  args?: readonly string[];
  networkMode: string;
  capabilities?: readonly string[];
  /** The user namespace mode, if the engine maps users. */
  usernsMode?: string;
};

/**
 * Runs a script of ours in a short-lived container of the grader's image, which no student can modify, or of an image to examine. It is
 * ended after a minute.
 * @returns its exit status and its output
 */
export async function runHelper(docker: Docker, helper: Helper): Promise<{ code: number; output: string }> {
  const { script, args = [], image, networkMode, capabilities = [], usernsMode } = helper;
  const container = await docker.createContainer({
    Image: image?.id ?? graderImage,
    User: '0:0',
    Labels: { [labels.uid]: 'grader' },
    Entrypoint: ['/.grader/bin/bash', '-p', '-c', `exec 2>&1\n${script}`, 'helper'],
    Cmd: [...args],
    WorkingDir: '/',
    Healthcheck: { Test: ['NONE'] },
    AttachStdout: true,
    HostConfig: {
      NetworkMode: networkMode,
      ...(image && { Binds: [`${image.graderVolume}:/.grader:ro,nocopy`] }),
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
  const end = setTimeout(() => void container.remove({ force: true }).catch(() => undefined), helperPatience);
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
  } finally {
    clearTimeout(end);
  }
}
