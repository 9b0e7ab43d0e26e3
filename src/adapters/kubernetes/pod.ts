import { type CodeOf, UnavailableError } from '../../errors.ts';
import type { EngineContainer } from '../../ports/container-engine.ts';
import { PodError } from './failures.ts';
import { mainContainer, nameAnnotation, podLabels } from './pod-manifest.ts';

type ContainerStatus = {
  name: string;
  state?: {
    waiting?: { reason?: string; message?: string };
    running?: { startedAt: string };
    terminated?: { exitCode: number; reason?: string; message?: string };
  };
};

/** What the engine reads of a Pod. */
export type Pod = {
  metadata: {
    name: string;
    uid: string;
    resourceVersion: string;
    creationTimestamp: string;
    deletionTimestamp?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  spec?: { nodeName?: string };
  status?: {
    phase?: string;
    reason?: string;
    message?: string;
    conditions?: { type: string; status: string; reason?: string; message?: string; lastTransitionTime?: string }[];
    initContainerStatuses?: ContainerStatus[];
    containerStatuses?: ContainerStatus[];
  };
};

export type List<Item> = { metadata: { resourceVersion: string; continue?: string }; items: Item[] };

/** `full`: no node has room for it now. `ended`: it will never run again. */
export type PodState = { kind: 'starting' | 'running' | 'full' } | { kind: 'ended'; failure: PodError };

/** A kubelet cannot pull the image. */
export const imageReasons = [
  ...['ErrImageNeverPull', 'ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'RegistryUnavailable'],
  'ImageInspectError',
];
/** A kubelet cannot start the container. */
export const brokenReasons = [
  ...['CreateContainerConfigError', 'CreateContainerError', 'RunContainerError', 'CrashLoopBackOff'],
];
/** Why a kubelet refused or ended a Pod for lack of room. */
const roomReasons = /^(Out[Oo]f.*|Evicted|Preempt\w*|NodeAffinity|NodeShutdown|Shutdown|Terminated)$/;

/** The state of a Pod. */
export function stateOf({ metadata, status = {} }: Pod): PodState {
  const {
    phase,
    reason = '',
    message = '',
    conditions = [],
    initContainerStatuses = [],
    containerStatuses = [],
  } = status;
  const statuses = [...initContainerStatuses, ...containerStatuses];
  const isDeleted = metadata.deletionTimestamp !== undefined;
  const ended = (code: CodeOf<503>, text: string, retryAfter: number): PodState => {
    // As text: a log does not show objects at this depth.
    const containers = statuses.map(({ name, state }) => `${name}: ${JSON.stringify(state)}`);
    const cause = { reason, message, isDeleted, containers };
    return { kind: 'ended', failure: new PodError(new UnavailableError(code, text, { retryAfter, cause })) };
  };

  if (phase === 'Failed' || phase === 'Succeeded' || isDeleted) {
    if (roomReasons.test(reason)) return ended('no_capacity', 'The cluster had no room for the container', 30);
    return ended('engine_unavailable', 'The container has ended', 15);
  }
  const waiting = statuses.map(({ state }) => state?.waiting?.reason ?? '');
  if (waiting.some((word) => imageReasons.includes(word)))
    return ended('image_missing', 'The container image does not exist', 60);
  if (waiting.some((word) => brokenReasons.includes(word)))
    return ended('engine_unavailable', 'The container could not be started', 15);
  if (startOf({ metadata, status }) !== undefined) return { kind: 'running' };
  const isFull = conditions.some(
    ({ type, status: value, reason: why }) => type === 'PodScheduled' && value === 'False' && why === 'Unschedulable',
  );
  return { kind: isFull ? 'full' : 'starting' };
}

/** When the main container has started, by the clock of its node. Undefined if it does not run. */
export function startOf({ status }: Pod): Date | undefined {
  const main = status?.containerStatuses?.find(({ name }) => name === mainContainer);
  const startedAt = main?.state?.running?.startedAt;
  return startedAt === undefined ? undefined : new Date(startedAt);
}

/**
 * Whether the cluster has lost the Pod's node. The node's controller marks its Pods as not ready. A kubelet that does so names a
 * reason of the containers.
 */
export const isNodeLost = (pod: Pod): boolean => lossOf(pod) !== undefined;

const lossOf = ({ status }: Pod) =>
  status?.conditions?.find(
    ({ type, status: value, reason = '' }) =>
      type === 'Ready' && value !== 'True' && !/^(Containers|Pod|Readiness)/.test(reason),
  );

/** Milliseconds for which a node may be lost. A kubelet that is restarted comes back within them. */
const nodePatience = 5000;

/**
 * Milliseconds until a Pod counts as lost, by the clock of the cluster: 0 if it has ended for good, or its node has been lost for too
 * long. Undefined if it is not lost.
 */
export function lostIn(pod: Pod, now = Date.now()): number | undefined {
  if (stateOf(pod).kind === 'ended') return 0;
  const loss = lossOf(pod);
  if (!loss) return undefined;
  const since = loss.lastTransitionTime === undefined ? now : new Date(loss.lastTransitionTime).getTime();
  // With a clock that differs from the cluster's, the whole patience is waited once.
  return Math.min(nodePatience, Math.max(0, since + nodePatience - now));
}

export const isLost = (pod: Pod): boolean => lostIn(pod) === 0;

/** A Pod as a container of the port. */
export const containerOf = (pod: Pod): EngineContainer => ({
  ...recordOf(pod),
  isRunning: stateOf(pod).kind === 'running' && !isLost(pod),
  isFrozen: false,
  // A Pod is there before its image.
  createdAt: startOf(pod) ?? recordOf(pod).createdAt,
});

/** A Pod, or the record of a stopped container, without its state. */
export const recordOf = ({ metadata }: Pick<Pod, 'metadata'>): EngineContainer => ({
  ref: metadata.name,
  uid: metadata.labels?.[podLabels.uid] ?? '',
  name: metadata.annotations?.[nameAnnotation] ?? metadata.name,
  isRunning: false,
  isFrozen: false,
  createdAt: new Date(metadata.creationTimestamp),
});
