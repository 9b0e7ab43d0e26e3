import { availableParallelism } from 'node:os';
import { bytesIn } from './bytes-in.ts';
import type { EnvReader } from './env-reader.ts';
import type { Tuning } from './tuning.ts';

/** A container start uses one core of the engine most of the time: one core stays free for other requests. */
const startsAtOnce = Math.min(4, Math.max(1, availableParallelism() - 1));

/** The container engine, and the containers on it. @param terminals for how long a shell survives a lost connection */
export function readContainers(env: EnvReader, tuning: Tuning, terminals: { resumeSeconds: number }) {
  return {
    engine: readEngine(env, tuning),
    kubernetes: readKubernetes(env, tuning),
    /** Of containers that run on an engine that loses them with the machine. */
    homeSaves: {
      /** Seconds between two saves of a home folder. */
      interval: tuning.homeSaveSeconds,
      /** Saves at once in a process: each is a stream through the cluster's API server. */
      concurrency: 4,
    },
    containers: readContainerLimits(env, tuning, terminals),
  };
}

function readEngine(env: EnvReader, tuning: Tuning) {
  return {
    kind: env.oneOf('CONTAINER_ENGINE', 'docker', ['docker', 'kubernetes']),
    dockerHost: env.optional('DOCKER_HOST'),
    /** The folder of ca.pem, cert.pem and key.pem, for an engine over TLS. */
    certPath: env.optional('DOCKER_CERT_PATH'),
    runtimeDir: env.optional('XDG_RUNTIME_DIR'),
    /** The OCI runtime of the containers, one that the engine knows. Undefined: the engine's default. */
    runtime: env.optional('CONTAINER_RUNTIME'),
    /** Prefix of container names on the engine, for several installations that share one. */
    namePrefix: env.text('CONTAINER_NAME_PREFIX', ''),
    callTimeout: 1000 * tuning.engineTimeoutSeconds,
    sshTimeout: 1000 * tuning.sshTimeoutSeconds,
    /** Resolvers of containers with internet, and networks to block besides private ones. */
    internet: {
      dns: env.addresses('INTERNET_DNS', ['9.9.9.9', '1.1.1.1'], { areNetworks: false }),
      blocked: env.addresses('INTERNET_BLOCKED', [], { areNetworks: true }),
    },
  };
}

function readKubernetes(env: EnvReader, tuning: Tuning) {
  return {
    /** Undefined: `~/.kube/config`, or the service account of the service's own Pod. */
    kubeconfig: env.optional('KUBECONFIG'),
    namespace: env.optional('KUBERNETES_NAMESPACE'),
    runtimeClass: env.optional('KUBERNETES_RUNTIME_CLASS'),
    nodeSelector: env.pairs('KUBERNETES_NODE_SELECTOR'),
    tolerations: env.tolerations('KUBERNETES_TOLERATIONS'),
    pullSecrets: env.words('KUBERNETES_PULL_SECRETS'),
    /** The share of a container's limits that its node reserves for it. */
    requestPercent: env.integer('KUBERNETES_REQUEST_PERCENT', 25, { min: 1, max: 100 }),
    imagePrefix: env.text('KUBERNETES_IMAGE_PREFIX', ''),
    /** The output of `docker image inspect` for images that the service does not ship. */
    imagesPath: env.optional('KUBERNETES_IMAGES'),
    /** Maximum bytes of a home folder that is saved. */
    homeBytes: bytesIn.mib * tuning.maxHomeMb,
  };
}

function readContainerLimits(env: EnvReader, tuning: Tuning, { resumeSeconds }: { resumeSeconds: number }) {
  const memoryMb = env.integer('CONTAINER_MEMORY_MB', 512, { min: 32 });
  return {
    sandboxesPerUser: env.integer('SANDBOXES_PER_USER', 3, { min: 0, max: 100 }),
    laboratoriesPerUser: tuning.maxLaboratoriesPerUser,
    sandboxIdleMinutes: env.integer('SANDBOX_IDLE_MINUTES', 60, { min: 1 }),
    sandboxMaxHours: env.integer('SANDBOX_MAX_HOURS', 24, { min: 1 }),
    /** Containers of this installation that run or are being created; beyond it 503. */
    max: env.integer('CONTAINERS_MAX', 200, { min: 1 }),
    /** Share of those reserved for exams and laboratories; not available to sandboxes. */
    examReservePercent: env.integer('EXAM_RESERVE_PERCENT', 30, { min: 0, max: 100 }),
    /** Minutes without a terminal after which a sandbox can be stopped to free capacity: more than a shell without a client lives. */
    sandboxYieldMinutes: Math.max(10, Math.ceil(resumeSeconds / 60) + 1),
    sandboxesMax: tuning.maxSandboxes,
    /** Concurrent container starts, the size of their queue, and the seconds after which a queued start is answered with 503. */
    starts: {
      concurrency: env.integer('CONTAINER_STARTS', startsAtOnce, { min: 1, max: 100 }),
      maxWaiting: tuning.maxStartsWaiting,
      maxWaitSeconds: tuning.maxStartWaitSeconds,
    },
    /** Attempts that wait for a container, for clients that accept it. */
    queue: {
      max: tuning.maxQueuedAttempts,
      /** Minutes without a request of its owner after which a queued attempt is abandoned. An open page requests every few seconds. */
      absenceMinutes: 10,
    },
    memoryMb,
    cpus: env.decimal('CONTAINER_CPUS', 1, { min: 0.05, max: 64 }),
    processes: env.integer('CONTAINER_PROCESSES', 256, { min: 16, max: 32_768 }),
    /**
     * Limit of the container's layer, by a storage quota if the engine has them, otherwise by checks. Always the limit of one
     * file.
     */
    diskMb: env.integer('CONTAINER_DISK_MB', 2048, { min: 64 }),
    files: tuning.maxContainerFiles,
    diskCheckInterval: 1000 * tuning.diskCheckSeconds,
    setupSeconds: tuning.setupSeconds,
    warm: env.integer('WARM_CONTAINERS', 1, { min: 0, max: 50 }),
    /** Of all warm containers together: four of the usual size, and one of any other. */
    warmMemoryMb: Math.max(2048, memoryMb),
    expectedMinutes: tuning.examWarmMinutes,
    expectedHours: tuning.examWarmHours,
  };
}
