import type { ContainerCreateOptions } from 'dockerode';
import type { ContainerSpec } from '../../ports/container-engine.ts';
import { capabilitiesOf, hostnameOf, type ImageFacts, isSudoGranted, labels } from '../engine/container-facts.ts';
import { beginCommand, openFiles } from '../engine/gate.ts';

/** The filter that lists the containers of an installation. */
export const filtersOf = (installation: string) => ({ label: [`${labels.installation}=${installation}`] });

const mebibyte = 1024 * 1024;

export type ContainerPlace = {
  installation: string;
  graderVolume: string;
  canLimitDisk: boolean;
  /** Undefined: the default of the engine. */
  runtime?: string | undefined;
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
  const hostname = hostnameOf(spec.image);
  return {
    name: spec.name,
    Image: spec.imageId ?? spec.image,
    Hostname: hostname,
    Labels: {
      [labels.installation]: place.installation,
      [labels.uid]: spec.uid,
      ...(place.canLimitDisk ? { [labels.disk]: 'limited' } : {}),
    },
    AttachStdin: false,
    AttachStdout: false,
    AttachStderr: false,
    // The kernel gives the container an empty network of its own. For the mode `none` alone, the engine creates that itself, which takes
    // it half of the start. /etc/hosts is then written by `begin`.
    NetworkDisabled: !spec.hasInternet,
    StopTimeout: 2,
    WorkingDir: '/',
    Entrypoint: beginCommand({ hasInternet: spec.hasInternet, folder: image.folder }),
    Cmd: [...image.command],
    // The engine runs the image's health check whether or not the network is confined.
    Healthcheck: { Test: ['NONE'] },
    HostConfig: {
      Init: true,
      ...(place.runtime === undefined ? {} : { Runtime: place.runtime }),
      NetworkMode: spec.hasInternet ? place.internet.network : 'none',
      ...(spec.hasInternet ? { Dns: [...place.internet.dns] } : {}),
      CapDrop: ['ALL'],
      CapAdd: capabilitiesOf(image),
      SecurityOpt: isSudoGranted(image) ? [] : ['no-new-privileges'],
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
        { Name: 'nofile', Soft: openFiles.soft, Hard: openFiles.hard },
        { Name: 'fsize', Soft: spec.diskMb * mebibyte, Hard: spec.diskMb * mebibyte },
        { Name: 'core', Soft: 0, Hard: 0 },
      ],
      ...(place.canLimitDisk ? { StorageOpt: { size: `${spec.diskMb}M` } } : {}),
    },
  };
}
