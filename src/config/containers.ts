import { availableParallelism } from 'node:os';
import { bytesIn } from './bytes-in.ts';
import type { EnvReader } from './env-reader.ts';

/** A container start uses one core of the engine most of the time: one core stays free for other requests. */
const startsAtOnce = Math.min(4, Math.max(1, availableParallelism() - 1));

/** The container engine, and the containers on it. */
export function readContainers(env: EnvReader) {
  return {
    engine: readEngine(env),
    kubernetes: readKubernetes(env),
    /** Of containers that run on an engine that loses them with the machine. */
    homeSaves: {
      /** Seconds between two saves of a home folder. */
      interval: env.integer('HOME_SAVE_SECONDS', 30, { min: 5, max: 3600 }),
      /** Saves at once. */
      concurrency: env.integer('HOME_SAVES', 4, { min: 1, max: 64 }),
    },
    containers: readContainerLimits(env),
  };
}

function readEngine(env: EnvReader) {
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
    callTimeout: 1000 * env.integer('ENGINE_TIMEOUT_SECONDS', 30, { min: 1, max: 600 }),
    /** Timeout for connecting to a container's SSH server and for opening each channel; added to a script's own limit. */
    sshTimeout: 1000 * env.integer('SSH_TIMEOUT_SECONDS', 10, { min: 1, max: 600 }),
    /** Resolvers of containers with internet, and networks to block besides private ones. */
    internet: {
      dns: env.addresses('INTERNET_DNS', ['9.9.9.9', '1.1.1.1'], { areNetworks: false }),
      blocked: env.addresses('INTERNET_BLOCKED', [], { areNetworks: true }),
    },
  };
}

function readKubernetes(env: EnvReader) {
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
    homeBytes: bytesIn.mib * env.integer('KUBERNETES_HOME_MAX_MB', 256, { min: 1, max: 65_536 }),
  };
}

function readContainerLimits(env: EnvReader) {
  const limits = {
    sandboxesPerUser: env.integer('SANDBOXES_PER_USER', 3, { min: 0, max: 100 }),
    laboratoriesPerUser: env.integer('LABORATORIES_PER_USER', 3, { min: 1, max: 100 }),
    sandboxIdleMinutes: env.integer('SANDBOX_IDLE_MINUTES', 60, { min: 1 }),
    sandboxMaxHours: env.integer('SANDBOX_MAX_HOURS', 24, { min: 1 }),
    /** Containers of this installation that run or are being created; beyond it 503. */
    max: env.integer('CONTAINERS_MAX', 200, { min: 1 }),
    /** Share of those reserved for exams and laboratories; not available to sandboxes. */
    examReservePercent: env.integer('EXAM_RESERVE_PERCENT', 30, { min: 0, max: 100 }),
    /** Minutes without a terminal after which a sandbox can be stopped to free capacity. */
    sandboxYieldMinutes: env.integer('SANDBOX_YIELD_MINUTES', 10, { min: 1 }),
    /** Existing sandboxes, stopped ones included. Beyond it 503, unless one has been stopped for `sandboxIdleMinutes`. */
    sandboxesMax: env.integer('SANDBOXES_MAX', 400, { min: 1 }),
    /** Concurrent container starts, the size of their queue, and the seconds after which a queued start is answered with 503. */
    starts: {
      concurrency: env.integer('CONTAINER_STARTS', startsAtOnce, { min: 1, max: 100 }),
      maxWaiting: env.integer('CONTAINER_STARTS_WAITING', 100, { min: 0, max: 10_000 }),
      maxWaitSeconds: env.integer('CONTAINER_STARTS_WAIT_SECONDS', 6, { min: 1, max: 600 }),
    },
    /** Attempts that wait for a container, for clients that accept it. */
    queue: {
      max: env.integer('EXAM_QUEUE_MAX', 200, { min: 0, max: 10_000 }),
      /** Minutes without a request of its owner after which a queued attempt is abandoned. */
      absenceMinutes: env.integer('EXAM_QUEUE_ABSENCE_MINUTES', 10, { min: 2, max: 1440 }),
    },
    memoryMb: env.integer('CONTAINER_MEMORY_MB', 512, { min: 32 }),
    cpus: env.decimal('CONTAINER_CPUS', 1, { min: 0.05, max: 64 }),
    processes: env.integer('CONTAINER_PROCESSES', 256, { min: 16, max: 32_768 }),
    /**
     * Limit of the container's layer, by a storage quota if the engine has them, otherwise by checks. Always the limit of one
     * file.
     */
    diskMb: env.integer('CONTAINER_DISK_MB', 2048, { min: 64 }),
    /** Files and folders in a container, including those of its image. */
    files: env.integer('CONTAINER_FILES', 100_000, { min: 10_000 }),
    /** Milliseconds between two checks for containers over either limit, if the storage has no quotas; 0: never. */
    diskCheckInterval: 1000 * env.integer('CONTAINER_DISK_CHECK_SECONDS', 30, { min: 0, max: 3600 }),
    /** Of a new container, for all its set-up scripts together. */
    setupSeconds: env.integer('SETUP_SECONDS', 60, { min: 1, max: 600 }),
    warm: env.integer('WARM_CONTAINERS', 1, { min: 0, max: 50 }),
    warmMemoryMb: env.integer('WARM_MEMORY_MB', 2048, { min: 0 }),
    expectedMinutes: env.integer('EXAM_WARM_MINUTES', 10, { min: 0, max: 1440 }),
    expectedHours: env.integer('EXAM_WARM_HOURS', 4, { min: 1, max: 24 }),
  };
  if (limits.warm > 0 && limits.warmMemoryMb > 0 && limits.warmMemoryMb < limits.memoryMb)
    env.problems.push('WARM_MEMORY_MB has no room for one container of CONTAINER_MEMORY_MB');
  return limits;
}
