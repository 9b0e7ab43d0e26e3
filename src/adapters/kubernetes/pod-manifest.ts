import { createHash } from 'node:crypto';
import type { ContainerSpec } from '../../ports/container-engine.ts';
import { capabilitiesOf, hostnameOf, type ImageFacts, isSudoGranted, labels } from '../engine/container-facts.ts';
import { confinedSign, homeOfRoot } from '../engine/gate.ts';
import { examination } from '../engine/image-examination.ts';
import { type Internet, privateNetworks } from '../engine/internet.ts';
import { begin, execLimits, graderFolder, prepare } from './pod-scripts.ts';

export const mainContainer = 'main';

export const podLabels = {
  ...labels,
  /** On Pods with internet, for the NetworkPolicy. */
  internet: 'platform.internet',
  /** On the records of stopped containers. */
  stopped: 'platform.stopped',
  /** The container's name, as far as a label can have it. */
  name: 'platform.name',
};
/** The container's exact name. */
export const nameAnnotation = 'platform.name';

export type Toleration = { key: string; operator: 'Exists' | 'Equal'; value?: string; effect?: string };

/** How an installation places its Pods. */
export type Placement = {
  runtimeClass?: string | undefined;
  nodeSelector: Readonly<Record<string, string>>;
  tolerations: readonly Toleration[];
  pullSecrets: readonly string[];
  /** The share of a Pod's limits that its node reserves for it. */
  requestPercent: number;
  /** Put before the names of images without a registry, such as `registry.example.com/school/`. */
  imagePrefix: string;
};

export type PodPlace = Placement & { installation: string; internet: Internet };

/** The name of a container's Pod, which stays the same when the container is renamed, stopped and started. */
export const refOf = (uid: string): string => `platform-${uid}`;
export const uidOf = (ref: string): string => ref.slice(refOf('').length);

export const namesOf = (name: string) => ({
  labels: {
    [podLabels.name]: name
      .replace(/[^A-Za-z0-9._-]/g, '-')
      .slice(0, 63)
      .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, ''),
  },
  annotations: { [nameAnnotation]: name },
});

export const imageName = (name: string, prefix: string): string => (name.includes('/') ? name : prefix + name);

/** An added image by its digest, whatever its tag names by now. */
const digestName = (imageId: string): string => imageId.replace(/:[^/:@]*(?=@)/, '');

/** The name of the Secret and of the ConfigMap of an added image. */
export const imageRecord = (imageId: string, { installation }: { installation: string }): string =>
  `platform-image-${createHash('sha256').update(`${installation} ${imageId}`).digest('hex').slice(0, 40)}`;

/** The API server would replace `$$` and `$(NAME)` in arguments. */
const literally = (words: readonly string[]): string[] => words.map((word) => word.replaceAll('$', '$$$$'));

/**
 * The Pod of a container: never restarted, without a token of a service account, without capabilities beyond what the image's label
 * names, without new privileges unless the image grants sudo, the grader's tools read-only at /.grader. An added image is pulled by its digest.
 */
export function podManifest(spec: ContainerSpec, image: ImageFacts, place: PodPlace) {
  const { internet, requestPercent, imagePrefix } = place;
  const records = spec.imageId === undefined ? [] : [imageRecord(spec.imageId, place)];
  const hostname = hostnameOf(spec.image).toLowerCase();
  const resources = resourcesOf(spec, requestPercent);
  const networks = [...privateNetworks, ...internet.blocked].join(' ');
  const script = (text: string, name: string) => ['/.grader/bin/bash', '-p', '-c', text, name];
  const names = namesOf(spec.name);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: refOf(spec.uid),
      labels: {
        ...names.labels,
        [podLabels.installation]: place.installation,
        [podLabels.uid]: spec.uid,
        ...(spec.hasInternet ? { [podLabels.internet]: 'true' } : {}),
      },
      // The autoscaler must not move it: its files would be lost.
      annotations: {
        ...names.annotations,
        'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false',
        ...specAnnotation(spec),
      },
    },
    spec: {
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 1,
      hostname,
      // Without a network no resolver knows the name, and sudo looks it up.
      hostAliases: [{ ip: '127.0.1.1', hostnames: [hostname] }],
      dnsPolicy: 'None',
      dnsConfig: { nameservers: spec.hasInternet ? internet.dns.slice(0, 3) : ['127.0.0.1'] },
      securityContext: {
        seccompProfile: { type: 'RuntimeDefault' },
        // Allows `ping` without a capability.
        sysctls: [{ name: 'net.ipv4.ping_group_range', value: '0 2147483647' }],
      },
      ...(place.runtimeClass === undefined ? {} : { runtimeClassName: place.runtimeClass }),
      nodeSelector: place.nodeSelector,
      tolerations: place.tolerations,
      imagePullSecrets: [...place.pullSecrets, ...records].map((name) => ({ name })),
      volumes: [{ name: 'grader', emptyDir: {} }],
      initContainers: [
        {
          name: 'prepare',
          image: imageName(graderImage, imagePrefix),
          imagePullPolicy: 'IfNotPresent',
          command: script(prepare, 'prepare'),
          args: [spec.hasInternet ? 'internet' : 'none', internet.dns.join(' '), networks, confinedSign],
          workingDir: '/',
          env: [{ name: 'HOST_IP', valueFrom: { fieldRef: { fieldPath: 'status.hostIP' } } }],
          terminationMessagePolicy: 'FallbackToLogsOnError',
          resources,
          securityContext: {
            runAsUser: 0,
            runAsGroup: 0,
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'], add: ['NET_ADMIN', 'CHOWN', 'DAC_OVERRIDE', 'FOWNER'] },
          },
          volumeMounts: [{ name: 'grader', mountPath: graderFolder }],
        },
      ],
      containers: [
        {
          name: mainContainer,
          image: spec.imageId === undefined ? imageName(spec.image, imagePrefix) : digestName(spec.imageId),
          imagePullPolicy: 'IfNotPresent',
          command: script(`${execLimits}\n${begin}`, 'begin'),
          args: literally([image.folder, `${spec.processes}`, ...image.command]),
          // An exec begins there, and no student can replace it (CVE-2024-21626).
          workingDir: '/',
          env: [
            { name: 'HOME', value: homeOfRoot },
            { name: 'FILE_KIB', value: `${spec.diskMb * 1024}` },
            { name: 'PROCESSES', value: `${spec.processes}` },
          ],
          resources,
          securityContext: {
            // An exec runs as the container's user: the SSH server needs root.
            runAsUser: 0,
            runAsGroup: 0,
            privileged: false,
            allowPrivilegeEscalation: isSudoGranted(image),
            capabilities: { drop: ['ALL'], add: capabilitiesOf(image) },
          },
          volumeMounts: [{ name: 'grader', mountPath: '/.grader', readOnly: true }],
        },
      ],
    },
  };
}

/** Seconds after which a node ends a Pod that nobody waits for any more: longer than a pull. */
const examinationSeconds = 2000;

/** The Pod that examines an added image: without a network, capabilities and a writable file system. It is no container of the service. */
export function examinationPod(imageId: string, place: PodPlace) {
  const limits = { memoryMb: 64, cpus: 1, processes: 16, diskMb: 64, hasInternet: false };
  const spec = { name: 'examination', uid: `examination-${place.installation}`, image: imageId, imageId, ...limits };
  const pod = podManifest(spec, { labels: {}, command: [], folder: '/' }, place);
  const containers = pod.spec.containers.map((main) => ({
    ...main,
    command: ['/.grader/bin/bash', '-p', '-c', `exec >/dev/termination-log 2>/dev/null${examination}`, 'examination'],
    args: [],
    securityContext: { ...main.securityContext, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
  }));
  return {
    ...pod,
    metadata: { name: pod.metadata.name, labels: { [podLabels.installation]: place.installation } },
    spec: { ...pod.spec, activeDeadlineSeconds: examinationSeconds, containers },
  };
}

/** The image whose tools every container mounts. */
export const graderImage = 'platform-grader';

const specName = 'platform.specification';
const specAnnotation = (spec: ContainerSpec) => ({ [specName]: JSON.stringify(spec) });

/** The specification that a Pod was created from. */
export function specOf(annotations: Readonly<Record<string, string>> | undefined): ContainerSpec | undefined {
  const text = annotations?.[specName];
  return text === undefined ? undefined : (JSON.parse(text) as ContainerSpec);
}

function resourcesOf({ cpus, memoryMb, diskMb }: ContainerSpec, percent: number) {
  const share = (part: number) => ({
    cpu: `${Math.max(1, Math.round(cpus * 1000 * part))}m`,
    memory: `${Math.max(1, Math.round(memoryMb * part))}Mi`,
    'ephemeral-storage': `${Math.max(1, Math.round(diskMb * part))}Mi`,
  });
  return { limits: share(1), requests: share(percent / 100) };
}
