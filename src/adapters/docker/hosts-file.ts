import type Docker from 'dockerode';
import { askContainer } from './ask-container.ts';

export const hostsFile = '/etc/hosts';

/** Maximum bytes read of the file. */
const sizeLimit = 64 * 1024;
const script = `/.grader/bin/busybox head -c ${sizeLimit} ${hostsFile}`;

/** Entries of engines that no check uses: IPv6 groups and the engine's machine. */
const harmlessName = /^(ip6-\S+|host\.(docker|containers)\.internal)$/;
const loopback = /^(127\.\d+\.\d+\.\d+|::1)$/;

/**
 * Whether the hosts file of a container has changed since the engine created it. The file belongs to the engine and lies outside
 * the container's layer, so the engine's list of changed files does not include it.
 * @param timeout milliseconds
 * @throws the engine's error, or an Error where the container does not answer
 */
export async function isHostsFileChanged(docker: Docker, ref: string, timeout: number): Promise<boolean> {
  const abortSignal = AbortSignal.timeout(timeout);
  const { Config, Name, NetworkSettings } = await docker.getContainer(ref).inspect({ abortSignal });
  const text = await askContainer(docker, ref, { script, abortSignal });
  const ips = Object.values(NetworkSettings.Networks).map(({ IPAddress }) => IPAddress);
  const names = [Config.Hostname, Name.replace(/^\//, ''), ref.slice(0, 12)];
  return !isAsGiven(text, { names, addresses: ips });
}

/** @param own the names that the engine gives the container, and its addresses */
export function isAsGiven(text: string, own: { names: readonly string[]; addresses: readonly string[] }): boolean {
  if (text.length >= sizeLimit) return false;
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/));
  const isGiven = (address: string, name: string): boolean => {
    if (name === 'localhost' || name.startsWith('localhost.')) return loopback.test(address);
    if (own.names.includes(name)) return loopback.test(address) || own.addresses.includes(address);
    return harmlessName.test(name);
  };
  const hasLocalhost = lines.some(([address, ...names]) => address === '127.0.0.1' && names.includes('localhost'));
  return hasLocalhost && lines.every(([address = '', ...names]) => names.every((name) => isGiven(address, name)));
}
