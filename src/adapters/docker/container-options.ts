import type { ContainerCreateOptions } from 'dockerode';
import type { ContainerSpec } from '../../ports/container-engine.ts';
import { beginCommand } from './gate.ts';

export const labels = {
  installation: 'platform.installation',
  uid: 'platform.container',
  capabilities: 'platform.capabilities',
  privileges: 'platform.privileges',
  /** Set on containers whose layer has a storage quota. */
  disk: 'platform.disk',
};

/** The filter that lists the containers of an installation. */
export const filtersOf = (installation: string) => ({ label: [`${labels.installation}=${installation}`] });

/**
 * Capabilities that sshd, its terminals (AUDIT_WRITE) and a login shell need in every container. A label of the image lists further
 * ones.
 */
const loginCapabilities = 'CHOWN,DAC_OVERRIDE,FOWNER,FSETID,SETUID,SETGID,KILL,SYS_CHROOT,AUDIT_WRITE';

const mebibyte = 1024 * 1024;

export type ImageFacts = {
  labels: Readonly<Record<string, string>>;
  /** The image's entry point and command, one after the other. */
  command: readonly string[];
  /** The working directory of the command. */
  folder: string;
};

export type ContainerPlace = {
  installation: string;
  graderVolume: string;
  canLimitDisk: boolean;
  /** For containers with internet. */
  internet: { network: string; dns: readonly string[] };
};

/**
 * The engine's options for a container: no network unless asked for, no capability beyond what the image's label names, no new
 * privileges unless the image grants sudo, memory without swap, no engine socket, the grader's tools read-only at /.grader.
 */
export function containerOptions(
  spec: ContainerSpec,
  image: ImageFacts,
  place: ContainerPlace,
): ContainerCreateOptions {
  const capabilities = `${loginCapabilities},${image.labels[labels.capabilities] ?? ''}`.split(',').filter(Boolean);
  const maySudo = image.labels[labels.privileges] === 'sudo';
  const hostname = hostnameOf(spec.image);
  return {
    name: spec.name,
    Image: spec.image,
    Hostname: hostname,
    Labels: {
      [labels.installation]: place.installation,
      [labels.uid]: spec.uid,
      ...(place.canLimitDisk ? { [labels.disk]: 'limited' } : {}),
    },
    AttachStdin: false,
    AttachStdout: false,
    AttachStderr: false,
    StopTimeout: 2,
    WorkingDir: '/',
    Entrypoint: beginCommand({ hasInternet: spec.hasInternet, folder: image.folder }),
    Cmd: [...image.command],
    // The engine runs the image's health check whether or not the network is confined.
    Healthcheck: { Test: ['NONE'] },
    HostConfig: {
      Init: true,
      NetworkMode: spec.hasInternet ? place.internet.network : 'none',
      ...(spec.hasInternet ? { Dns: [...place.internet.dns] } : {}),
      CapDrop: ['ALL'],
      CapAdd: [...new Set(capabilities)],
      SecurityOpt: maySudo ? [] : ['no-new-privileges'],
      Memory: spec.memoryMb * mebibyte,
      MemorySwap: spec.memoryMb * mebibyte,
      NanoCpus: Math.round(spec.cpus * 1e9),
      PidsLimit: spec.processes,
      // Without a network no resolver knows the name, and sudo looks it up.
      ExtraHosts: [`${hostname}:127.0.1.1`],
      ShmSize: 16 * mebibyte,
      IpcMode: 'private',
      Binds: [`${place.graderVolume}:/.grader:ro,nocopy`],
      // Allows `ping` without a capability. Some engines set it by default.
      Sysctls: { 'net.ipv4.ping_group_range': '0 2147483647' },
      LogConfig: { Type: 'none', Config: {} },
      RestartPolicy: { Name: 'no' },
      Ulimits: [
        { Name: 'nofile', Soft: 1024, Hard: 4096 },
        { Name: 'fsize', Soft: spec.diskMb * mebibyte, Hard: spec.diskMb * mebibyte },
        { Name: 'core', Soft: 0, Hard: 0 },
      ],
      ...(place.canLimitDisk ? { StorageOpt: { size: `${spec.diskMb}M` } } : {}),
    },
  };
}

/** The name of the image without the common prefix, for the prompt. */
function hostnameOf(image: string): string {
  const name = image.replace(/^.*\//, '').replace(/[:@].*$/, '');
  return (
    name
      .replace(/^platform-(exam-)?/, '')
      .replace(/[^A-Za-z0-9-]/g, '-')
      .slice(0, 60) || 'container'
  );
}
