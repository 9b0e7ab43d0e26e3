import { availableParallelism } from 'node:os';
import { bytesIn } from './bytes-in.ts';
import type { EnvReader } from './env-reader.ts';
import type { Tuning } from './tuning.ts';

/** A container start uses one core of the engine most of the time: one core stays free for other requests. */
const startsAtOnce = Math.min(4, Math.max(1, availableParallelism() - 1));

/** The container engine, and the containers on it. @param terminals for how long a shell survives a lost connection */
export function readContainers(env: EnvReader, tuning: Tuning, terminals: { resumeSeconds: number }) {
  const containers = readContainerLimits(env, tuning, terminals);
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
    containers,
  };
}

function readEngine(env: EnvReader, tuning: Tuning) {
  env.part = 'Container engine';
  return {
    kind: env.oneOf('CONTAINER_ENGINE', 'docker', ['docker', 'kubernetes'], {
      about: 'where containers run: Docker or Podman, or [Kubernetes](kubernetes.md)',
    }),
    dockerHost: env.optional('DOCKER_HOST', {
      usually: 'the first engine that answers',
      about: 'address of the engine: `unix://` or `tcp://`',
    }),
    /** The folder of ca.pem, cert.pem and key.pem, for an engine over TLS. */
    certPath: env.optional('DOCKER_CERT_PATH', {
      about: 'folder with `ca.pem`, `cert.pem` and `key.pem`, for an engine over TLS',
    }),
    runtimeDir: env.given('XDG_RUNTIME_DIR'),
    /** The OCI runtime of the containers, one that the engine knows. Undefined: the engine's default. */
    runtime: env.optional('CONTAINER_RUNTIME', {
      usually: "the engine's default",
      about:
        'OCI runtime of the containers on Docker Engine, [one that it knows](operating.md#another-runtime), such as `crun` or `runsc`',
    }),
    /** Prefix of container names on the engine, for several installations that share one. */
    namePrefix: env.text('CONTAINER_NAME_PREFIX', '', {
      about: 'beginning of the names of containers, for several installations on one engine',
    }),
    callTimeout: 1000 * tuning.engineTimeoutSeconds,
    sshTimeout: 1000 * tuning.sshTimeoutSeconds,
    internet: {
      dns: env.addresses('INTERNET_DNS', ['9.9.9.9', '1.1.1.1'], {
        areNetworks: false,
        about: 'resolvers of containers with internet; reachable even in a private network',
      }),
      blocked: env.addresses('INTERNET_BLOCKED', [], {
        areNetworks: true,
        about:
          "networks that such containers never reach, besides all private ones, this machine's own addresses and those of the engine's machine",
      }),
    },
  };
}

function readKubernetes(env: EnvReader, tuning: Tuning) {
  env.part = 'Kubernetes';
  return {
    kubeconfig: env.optional('KUBECONFIG', {
      usually: "`~/.kube/config`, or the account of the service's Pod",
      about: 'file with the address and the credentials of a cluster',
    }),
    namespace: env.optional('KUBERNETES_NAMESPACE', {
      usually: "that of the kubeconfig or of the service's Pod",
      about: 'namespace of the containers',
    }),
    runtimeClass: env.optional('KUBERNETES_RUNTIME_CLASS', {
      about: 'RuntimeClass of the containers, such as that of Kata Containers',
    }),
    nodeSelector: env.pairs('KUBERNETES_NODE_SELECTOR', {
      about: 'labels of the nodes that may run containers, such as `pool=students,disk=ssd`',
    }),
    tolerations: env.tolerations('KUBERNETES_TOLERATIONS', {
      about: 'of the containers, such as `pool=students:NoSchedule,spot:NoExecute`',
    }),
    pullSecrets: env.words('KUBERNETES_PULL_SECRETS', { about: 'of Secrets for pulling images' }),
    requestPercent: env.integer('KUBERNETES_REQUEST_PERCENT', 25, {
      min: 1,
      max: 100,
      about: "share of a container's limits that its node reserves for it",
    }),
    imagePrefix: env.text('KUBERNETES_IMAGE_PREFIX', '', {
      about: 'put before the names of images without `/`, such as `registry.example.com/school/`',
    }),
    imagesPath: env.optional('KUBERNETES_IMAGES', {
      about: 'file with the output of `docker image inspect` for images that the service does not ship',
    }),
    /** Maximum bytes of a home folder that is saved. */
    homeBytes: bytesIn.mib * tuning.maxHomeMb,
  };
}

function readContainerLimits(env: EnvReader, tuning: Tuning, { resumeSeconds }: { resumeSeconds: number }) {
  env.part = 'Containers';
  const memoryMb = env.integer('CONTAINER_MEMORY_MB', 512, {
    min: 32,
    about: 'memory of one container; sandbox templates have their own',
  });
  return {
    sandboxesPerUser: env.integer('SANDBOXES_PER_USER', 3, {
      min: 0,
      max: 100,
      about: 'sandboxes of one user, stopped ones included; beyond it 409',
    }),
    laboratoriesPerUser: tuning.maxLaboratoriesPerUser,
    sandboxIdleMinutes: env.integer('SANDBOX_IDLE_MINUTES', 60, {
      min: 1,
      about: 'time without an open terminal until a sandbox is stopped',
    }),
    sandboxMaxHours: env.integer('SANDBOX_MAX_HOURS', 24, {
      min: 1,
      about:
        'age at which a sandbox is deleted, and a laboratory attempt without a time limit is graded in its current state',
    }),
    max: env.integer('CONTAINERS_MAX', 200, {
      min: 1,
      about:
        'containers of this installation that run or are being created; beyond it 503. Stopped containers are not counted: they use disk but no memory',
    }),
    examReservePercent: env.integer('EXAM_RESERVE_PERCENT', 30, {
      min: 0,
      max: 100,
      about:
        'share of those reserved for exams and laboratories; sandboxes get at most the rest. At 0 sandboxes can use all, at 100 none',
    }),
    /** Minutes without a terminal after which a sandbox can be stopped to free capacity: more than a shell without a client lives. */
    sandboxYieldMinutes: Math.max(10, Math.ceil(resumeSeconds / 60) + 1),
    sandboxesMax: tuning.maxSandboxes,
    /** Concurrent container starts, the size of their queue, and the seconds after which a queued start is answered with 503. */
    starts: {
      concurrency: env.integer('CONTAINER_STARTS', startsAtOnce, {
        min: 1,
        max: 100,
        usually: 'cores − 1, from 1 to 4',
        about:
          'concurrent starts of containers; a higher value slows down all other requests if the engine is on the same machine',
      }),
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
    cpus: env.decimal('CONTAINER_CPUS', 1, { min: 0.05, max: 64, about: 'cores of one container' }),
    processes: env.integer('CONTAINER_PROCESSES', 256, {
      min: 16,
      max: 32_768,
      about: 'processes and threads in one container',
    }),
    /**
     * Limit of the container's layer, by a storage quota if the engine has them, otherwise by checks. Always the limit of one
     * file.
     */
    diskMb: env.integer('CONTAINER_DISK_MB', 2048, {
      min: 64,
      about: "a container's own files together, and any one of them",
    }),
    files: tuning.maxContainerFiles,
    diskCheckInterval: 1000 * tuning.diskCheckSeconds,
    setupSeconds: tuning.setupSeconds,
    warm: env.integer('WARM_CONTAINERS', 1, {
      min: 0,
      max: 50,
      about: 'containers prepared in advance for each image of an active exam, and each set-up',
    }),
    /** Of all warm containers together: four of the usual size, and one of any other. */
    warmMemoryMb: Math.max(2048, memoryMb),
    expectedMinutes: tuning.examWarmMinutes,
    expectedHours: tuning.examWarmHours,
  };
}
