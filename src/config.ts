import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { EnvReader } from './env-reader.ts';

/**
 * The validated configuration of the service. It is built once at startup from the environment; no other code reads the
 * environment.
 */
export type Config = ReturnType<typeof readConfig>;

/** A container start uses one core of the engine most of the time: one core stays free for other requests. */
const startsAtOnce = Math.min(4, Math.max(1, availableParallelism() - 1));

/**
 * PostgreSQL, the container engine and the threads for passwords and screens use a second core without help. A process more is of
 * use from the third core on (bench/README.md). `PROCESS_URL` is the address of one process.
 */
const processesOf = (cores: number, env: EnvReader): number =>
  env.optional('PROCESS_URL') === undefined && process.platform === 'linux' ? Math.max(1, cores - 1) : 1;

const bytesIn = { kib: 1024, mib: 1024 * 1024 };

function readConfig(env: EnvReader) {
  return {
    host: env.text('HOST', '127.0.0.1'),
    port: env.integer('PORT', 8000, { min: 0, max: 65535 }),
    /** Processes that serve requests at this address. */
    processes: env.integerOrAuto('PROCESSES', { min: 1, max: 64 }) ?? processesOf(availableParallelism(), env),
    /** The address at which other processes of the service reach this one; undefined: its own address. */
    processUrl: env.origin('PROCESS_URL'),
    dataDir: resolve(env.text('DATA_DIR', 'data')),
    logLevel: env.oneOf('LOG_LEVEL', 'info', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    corsOrigins: env.origins('CORS_ORIGINS'),
    /** True if a reverse proxy in front of the service sets `X-Forwarded-For` and `X-Forwarded-Proto`. */
    isBehindProxy: env.flag('TRUST_PROXY', false),
    isCatalogueAnonymous: env.flag('ANONYMOUS_CATALOGUE', false),
    bodyLimit: env.integer('BODY_LIMIT_BYTES', bytesIn.mib, { min: 1024, max: 64 * bytesIn.mib }),
    /** Bytes of request bodies in memory at once. */
    bodies: {
      perClient: bytesIn.mib * env.integer('BODIES_PER_CLIENT_MB', 16, { min: 1, max: 65_536 }),
      all: bytesIn.mib * env.integer('BODIES_MAX_MB', 256, { min: 1, max: 65_536 }),
    },
    requestTimeout: 1000 * env.integer('REQUEST_TIMEOUT_SECONDS', 30, { min: 1, max: 600 }),
    /** Milliseconds between two runs of the cleanup after crashes and failures. */
    reconcileInterval: 1000 * env.integer('RECONCILE_SECONDS', 30, { min: 1, max: 3600 }),
    /** Maximum open connections; a further one is closed before anything is read from it. */
    maxConnections: env.integer('CONNECTIONS_MAX', 10_000, { min: 10, max: 1_000_000 }),
    /** Maximum connections of one address. Not enforced behind a proxy, because all connections have its address. */
    maxConnectionsPerAddress: env.integer('CONNECTIONS_PER_ADDRESS', 2000, { min: 5, max: 1_000_000 }),
    stopTimeout: 1000 * env.integer('STOP_TIMEOUT_SECONDS', 20, { min: 1, max: 600 }),
    /** Milliseconds before that in which requests are served, but the service is not ready and opens no terminals. */
    stopDelay: 1000 * env.integer('STOP_DELAY_SECONDS', 0, { min: 0, max: 600 }),
    /** Event loop lag in milliseconds above which requests are answered with 503; 0: never. */
    maxEventLoopDelay: env.integer('EVENT_LOOP_DELAY_MS', 3000, { min: 0, max: 600_000 }),
    rateLimit: { max: env.integer('REQUESTS_PER_MINUTE', 6000, { min: 1 }) },
    /** Never logged: the configuration is not printed anywhere. Undefined: a key is generated and stored in the data folder. */
    secretKey: env.secret('SECRET_KEY', { minBytes: 32 }),
    /** Token for `/metrics`; undefined: only requests from the same machine. */
    metricsToken: env.secret('METRICS_TOKEN', { minBytes: 16 }),
    s3: readS3(env),
    database: {
      url: env.secret('DATABASE_URL', {}),
      maxConnections: env.integer('DATABASE_CONNECTIONS', 20, { min: 4, max: 200 }),
      statementTimeout: 1000 * env.integer('DATABASE_STATEMENT_SECONDS', 15, { min: 1, max: 600 }),
      acquireTimeout: 1000 * env.integer('DATABASE_ACQUIRE_SECONDS', 4, { min: 1, max: 60 }),
      /** Milliseconds without an answer to a trivial query after which PostgreSQL counts as hanging. */
      silenceTimeout: 1000 * env.integer('DATABASE_SILENCE_SECONDS', 3, { min: 1, max: 60 }),
    },
    firstAdministrator: {
      username: env.text('ADMIN_USERNAME', 'admin'),
      email: env.text('ADMIN_EMAIL', 'admin@platform.example.com'),
      password: env.secret('ADMIN_PASSWORD', {}),
    },
    passwords: {
      bcryptCost: env.integer('BCRYPT_COST', 12, { min: 4, max: 16 }),
      /** Concurrent hashes, each in a thread at the lowest priority: they may use every idle core. */
      concurrency: env.integer('BCRYPT_CONCURRENCY', Math.min(64, availableParallelism()), { min: 1, max: 64 }),
      /** Queued hashes in total and per network; a login beyond them is answered with 503 or 429. */
      maxWaiting: env.integer('BCRYPT_WAITING', 500, { min: 1 }),
      maxWaitingPerNetwork: env.integer('BCRYPT_WAITING_PER_NETWORK', 250, { min: 1 }),
    },
    logins: readLogins(env),
    registration: {
      mode: env.oneOf('REGISTRATION', 'open', ['open', 'domain', 'code', 'closed']),
      /** Domains of e-mail addresses for the mode `domain`, in lower case. */
      domains: env.domains('REGISTRATION_DOMAINS'),
      /** Registrations of one network: enough for a class of sixty behind one address, with some mistakes. */
      perNetworkHour: env.integer('REGISTRATIONS_PER_NETWORK_HOUR', 200, { min: 1 }),
    },
    avatars: {
      maxBytes: env.integer('AVATAR_MAX_BYTES', 5 * bytesIn.mib, { min: 1024, max: 64 * bytesIn.mib }),
      maxPixels: env.integer('AVATAR_MAX_PIXELS', 40_000_000, { min: 65_536, max: 250_000_000 }),
      concurrency: 2,
      maxWaiting: 20,
    },
    recordings: {
      /** Days that the terminal recording of an exam is stored after its end. */
      days: env.integer('RECORDING_DAYS', 30, { min: 1, max: 3650 }),
      /** Maximum size of one recording. */
      maxBytes: bytesIn.mib * env.integer('RECORDING_MAX_MB', 20, { min: 1, max: 1024 }),
    },
    /** Limits of each kind of content, and of the tasks in one exam or laboratory. */
    catalogue: {
      max: env.integer('CATALOGUE_MAX', 5000, { min: 1, max: 1_000_000 }),
      maxTasks: env.integer('TASKS_MAX', 200, { min: 1, max: 10_000 }),
      /** Bytes and number of the files of one exam or laboratory, with those of its tasks. */
      fileBytes: env.integer('SETUP_FILES_MAX_BYTES', 10 * bytesIn.mib, { min: 1024, max: 64 * bytesIn.mib }),
      maxFiles: env.integer('SETUP_FILES_MAX', 500, { min: 1, max: 10_000 }),
    },
    /** The students and classes that instructors see: all, or only the students of their own classes and these. */
    instructorScope: env.oneOf('INSTRUCTOR_SCOPE', 'all', ['all', 'classes']),
    /** Shown beside the time zone of the reader. */
    schoolTimeZone: env.optional('SCHOOL_TIME_ZONE'),
    classes: {
      /** Join codes of one class, expired ones included. */
      maxJoinCodes: env.integer('CLASS_JOIN_CODES_MAX', 100, { min: 1, max: 10_000 }),
      /** Exam sessions of one class, past ones included. */
      maxExamSessions: env.integer('CLASS_EXAM_SESSIONS_MAX', 500, { min: 1, max: 10_000 }),
      /** Columns with typed values in the grade book of one class. */
      maxGradeColumns: env.integer('CLASS_GRADE_COLUMNS_MAX', 50, { min: 1, max: 1000 }),
      /** Students in one import of such values. */
      maxGradeLines: env.integer('CLASS_GRADE_IMPORT_MAX', 2000, { min: 1, max: 100_000 }),
      /** Announcements of one class, and those to everybody, past ones included. */
      maxAnnouncements: env.integer('ANNOUNCEMENTS_MAX', 500, { min: 1, max: 10_000 }),
    },
    lessons: {
      url: env.optional('LESSONS_REPO_URL'),
      branch: env.optional('LESSONS_REPO_BRANCH'),
      sshKeyPath: env.optional('LESSONS_SSH_KEY_PATH'),
      knownHostsPath: env.optional('LESSONS_SSH_KNOWN_HOSTS'),
      staleSeconds: env.integer('LESSONS_STALE_SECONDS', 300, { min: 0, max: 86_400 }),
      timeoutSeconds: env.integer('LESSONS_TIMEOUT_SECONDS', 60, { min: 1, max: 3600 }),
      /** Repositories that courses were imported from, besides that of the service. */
      maxRepositories: env.integer('LESSON_REPOSITORIES_MAX', 20, { min: 1, max: 1000 }),
      notesPerUser: env.integer('NOTES_PER_USER', 1000, { min: 1, max: 100_000 }),
      maxFileBytes: env.integer('LESSON_MAX_BYTES', 8 * bytesIn.mib, { min: 1024, max: 256 * bytesIn.mib }),
    },
    search: {
      /** Characters of a lesson that are searched, from its beginning. */
      lessonCharacters: 1000 * env.integer('SEARCH_LESSON_KB', 200, { min: 1, max: 500 }),
      /** Milliseconds between two checks whether texts of lessons have changed. */
      interval: 1000 * env.integer('SEARCH_REFRESH_SECONDS', 2, { min: 1, max: 3600 }),
      /** Milliseconds for one statement of a search. */
      timeout: env.integer('SEARCH_TIMEOUT_MS', 2000, { min: 50, max: 60_000 }),
      /** Searches of one process at once, and those that wait. */
      concurrency: env.integer('SEARCHES', 4, { min: 1, max: 100 }),
      maxWaiting: env.integer('SEARCHES_WAITING', 100, { min: 0, max: 10_000 }),
    },
    engine: {
      kind: env.oneOf('CONTAINER_ENGINE', 'docker', ['docker', 'kubernetes']),
      dockerHost: env.optional('DOCKER_HOST'),
      /** The folder of ca.pem, cert.pem and key.pem, for an engine over TLS. */
      certPath: env.optional('DOCKER_CERT_PATH'),
      runtimeDir: env.optional('XDG_RUNTIME_DIR'),
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
    },
    kubernetes: {
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
    },
    /** Of containers that run on an engine that loses them with the machine. */
    homeSaves: {
      /** Seconds between two saves of a home folder. */
      interval: env.integer('HOME_SAVE_SECONDS', 30, { min: 5, max: 3600 }),
      /** Saves at once. */
      concurrency: env.integer('HOME_SAVES', 4, { min: 1, max: 64 }),
    },
    containers: {
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
    },
    examRooms: {
      /** Milliseconds between two reads of a room that is watched and in which nothing was reported. */
      interval: 1000 * env.integer('EXAM_ROOM_SECONDS', 5, { min: 1, max: 10 }),
      maxWatchers: env.integer('EXAM_ROOM_WATCHERS_MAX', 200, { min: 1, max: 10_000 }),
    },
    notifications: {
      /** Days that they are kept. */
      days: env.integer('NOTIFICATION_DAYS', 30, { min: 1, max: 3650 }),
      /** Milliseconds between two searches for what has become due. */
      interval: 1000 * env.integer('NOTIFICATION_SECONDS', 15, { min: 1, max: 60 }),
      /** Minutes before the end of an attempt at which its user is reminded. */
      minutesLeft: env.integers('NOTIFY_MINUTES_LEFT', [10, 2], { min: 1, max: 1440 }),
      hoursBeforeDue: env.integer('NOTIFY_HOURS_BEFORE_DUE', 24, { min: 1, max: 720 }),
      /** Streams at once in this process, and of one user. */
      maxStreams: env.integer('NOTIFICATION_STREAMS_MAX', 5000, { min: 1, max: 1_000_000 }),
      maxStreamsPerUser: env.integer('NOTIFICATION_STREAMS_PER_USER', 10, { min: 1, max: 1000 }),
    },
    grading: {
      scriptSeconds: env.integer('SCRIPT_SECONDS', 30, { min: 1, max: 600 }),
      outputBytes: env.integer('SCRIPT_OUTPUT_BYTES', 64 * bytesIn.kib, { min: 1024, max: bytesIn.mib }),
      concurrency: env.integer('GRADING_CONCURRENCY', 8, { min: 1, max: 200 }),
      /** Queued gradings; a submission beyond it is answered with 503. */
      maxWaiting: env.integer('GRADING_WAITING', 500, { min: 0, max: 100_000 }),
      /** A grading that takes longer stops blocking the queue and continues, up to a maximum number. */
      slow: {
        afterSeconds: env.integer('GRADING_SLOW_SECONDS', 5, { min: 1, max: 3600 }),
        max: env.integer('GRADING_SLOW', 100, { min: 0, max: 10_000 }),
      },
      giveUpMinutes: env.integer('GRADING_GIVE_UP_MINUTES', 10, { min: 1, max: 1440 }),
    },
    trials: {
      /** Concurrent and queued trials of scripts. */
      concurrency: env.integer('TRIALS', 1, { min: 1, max: 50 }),
      maxWaiting: env.integer('TRIALS_WAITING', 4, { min: 0, max: 1000 }),
      minutes: env.integer('TRIAL_MINUTES', 15, { min: 1, max: 600 }),
      solutionSeconds: env.integer('SOLUTION_SECONDS', 30, { min: 1, max: 600 }),
    },
    terminal: {
      perUser: env.integer('TERMINALS_PER_USER', 10, { min: 1, max: 1000 }),
      max: env.integer('TERMINALS_MAX', 500, { min: 1 }),
      resumeSeconds: env.integer('TERMINAL_RESUME_SECONDS', 300, { min: 0, max: 86_400 }),
      holder: {
        /** Output of a shell that its container keeps for the next process of the service. */
        bytes: bytesIn.kib * env.integer('TERMINAL_HELD_KB', 256, { min: 64, max: 16_384 }),
        /** Seconds that a shell continues while no process of the service serves it. */
        seconds: 3600 * env.integer('TERMINAL_HELD_HOURS', 24, { min: 1, max: 720 }),
      },
      pingSeconds: env.integer('TERMINAL_PING_SECONDS', 25, { min: 1, max: 600 }),
      /** Bytes per second shared by all output floods if there are several; those without a client share an eighth. */
      floodBytesPerSecond: env.integer('TERMINAL_FLOOD_BYTES', 2 * bytesIn.mib, { min: 64 * bytesIn.kib }),
      /** Bytes buffered for a slow client before the shell's output is paused. */
      bufferBytes: env.integer('TERMINAL_BUFFER_BYTES', bytesIn.mib, { min: 16 * bytesIn.kib, max: 64 * bytesIn.mib }),
    },
    /** Screens of terminals, for clients that resume or watch. */
    screens: {
      /** Scrollback lines. */
      scrollback: env.integer('TERMINAL_SCROLLBACK_LINES', 1000, { min: 0, max: 100_000 }),
      /** Maximum cells of the screen and its scrollback together: a wide terminal stores fewer lines. */
      cells: env.integer('TERMINAL_SCREEN_CELLS', 250_000, { min: 1000, max: 50_000_000 }),
      /** Maximum bytes of the frame that restores a screen. */
      pictureBytes: env.integer('TERMINAL_PICTURE_BYTES', 2 * bytesIn.mib, {
        min: 64 * bytesIn.kib,
        max: 64 * bytesIn.mib,
      }),
      /** Threads, each for many terminals, plus one for terminals that caused a failure. */
      workers: env.integer('SCREEN_WORKERS', 2, { min: 1, max: 64 }),
      /** Heap of a thread. */
      heapMb: env.integer('SCREEN_WORKER_HEAP_MB', 256, { min: 32, max: 4096 }),
      /** Milliseconds of CPU time that a thread may use without an answer to a ping. */
      silence: env.integer('SCREEN_WORKER_SILENCE_MS', 500, { min: 50, max: 60_000 }),
    },
  };
}

/** The bucket for files; undefined: the data folder. The keys are never logged. */
function readS3(env: EnvReader) {
  const endpoint = env.origin('S3_ENDPOINT');
  const given = {
    bucket: env.optional('S3_BUCKET'),
    accessKeyId: env.secret('S3_ACCESS_KEY_ID', {}),
    secretAccessKey: env.secret('S3_SECRET_ACCESS_KEY', {}),
  };
  const settings = {
    endpoint: endpoint ?? '',
    bucket: given.bucket ?? '',
    accessKeyId: given.accessKeyId ?? '',
    secretAccessKey: given.secretAccessKey ?? '',
    region: env.text('S3_REGION', 'us-east-1'),
    prefix: env.text('S3_PREFIX', '').replaceAll(/^\/+|\/+$/g, ''),
    /** Maximum milliseconds of one request with its retries. */
    timeout: 1000 * env.integer('S3_TIMEOUT_SECONDS', 15, { min: 1, max: 600 }),
    /** Milliseconds between two writes of a recording in progress: what a killed process loses. */
    appendDelay: 1000 * env.integer('S3_APPEND_SECONDS', 5, { min: 1, max: 300 }),
  };
  if (endpoint === undefined) {
    if (Object.values(given).some((value) => value !== undefined))
      env.problems.push('S3_BUCKET, S3_ACCESS_KEY_ID or S3_SECRET_ACCESS_KEY is set, but S3_ENDPOINT is not');
    return undefined;
  }
  if (Object.values(given).some((value) => value === undefined))
    env.problems.push('S3_ENDPOINT takes S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY besides it');
  if (given.bucket !== undefined && !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(given.bucket))
    env.problems.push('S3_BUCKET takes the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens');
  if (!/^[a-z0-9-]+$/.test(settings.region)) env.problems.push('S3_REGION takes a region such as eu-central-1');
  if (!/^([A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*)?$/.test(settings.prefix) || /(^|\/)\.{1,2}(\/|$)/.test(settings.prefix))
    env.problems.push('S3_PREFIX takes a path of letters, digits, dots, hyphens and underscores');
  for (const [name, key] of [
    ['S3_ACCESS_KEY_ID', settings.accessKeyId],
    ['S3_SECRET_ACCESS_KEY', settings.secretAccessKey],
  ] as const)
    if (/[^\x21-\x7e]/.test(key)) env.problems.push(`${name} contains white space or a character that no key has`);
  return settings;
}

function readLogins(env: EnvReader) {
  const blockSeconds = env.integer('LOGIN_BLOCK_SECONDS', 60, { min: 1, max: 86_400 });
  return {
    failuresPerAccount: env.integer('LOGIN_FAILURES_PER_ACCOUNT', 10, { min: 1 }),
    failuresPerNetwork: env.integer('LOGIN_FAILURES_PER_ADDRESS', 100, { min: 1 }),
    /** First wait of an account. Each further failure doubles it, up to the maximum. The wait of a network is constant. */
    blockSeconds,
    maxBlockSeconds: env.integer('LOGIN_BLOCK_MAX_SECONDS', Math.max(900, blockSeconds), {
      min: blockSeconds,
      max: 86_400,
    }),
    /** Seconds after an account's last failure when its failures are reset. */
    forgetSeconds: 3600 * env.integer('LOGIN_FORGET_HOURS', 6, { min: 1, max: 720 }),
    /** Known networks per account, and days since the last login from one until it is forgotten. */
    devicesPerAccount: env.integer('KNOWN_DEVICES_PER_ACCOUNT', 10, { min: 1, max: 1000 }),
    deviceDays: env.integer('KNOWN_DEVICE_DAYS', 90, { min: 1, max: 3650 }),
  };
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Sets the data folder where the environment names none, for this process and those that it starts. */
export function useDataDir(folder: string): void {
  process.env['DATA_DIR'] ||= folder;
}

/**
 * Reads and validates the configuration. An empty value counts as unset.
 * @throws Error that names every invalid variable, never its value
 */
export function loadConfig(variables: Readonly<Record<string, string | undefined>> = process.env): Config {
  const env = new EnvReader(variables);
  const config = readConfig(env);
  // The driver would interpret any other value as a file or a host of its own choice.
  if (config.database.url !== undefined && !/^(postgres(ql)?:\/\/|socket:|\/)/.test(config.database.url)) {
    env.problems.push('DATABASE_URL takes an address such as postgresql://user:password@host:5432/database');
  }
  if (config.schoolTimeZone !== undefined && !isTimeZone(config.schoolTimeZone)) {
    env.problems.push('SCHOOL_TIME_ZONE takes a time zone such as Europe/Berlin');
  }
  if (config.s3 && config.secretKey === undefined) {
    env.problems.push(
      'S3_ENDPOINT takes SECRET_KEY besides it: a key in the data folder would be another one in each replica',
    );
  }
  if (config.lessons.sshKeyPath && !config.lessons.url) {
    env.problems.push('LESSONS_SSH_KEY_PATH is set, but LESSONS_REPO_URL is not');
  }
  if (
    config.containers.warm > 0 &&
    config.containers.warmMemoryMb > 0 &&
    config.containers.warmMemoryMb < config.containers.memoryMb
  ) {
    env.problems.push('WARM_MEMORY_MB has no room for one container of CONTAINER_MEMORY_MB');
  }
  if (config.processes > 1 && process.platform !== 'linux')
    env.problems.push('PROCESSES takes 1 on this system: only on Linux can several processes listen at one address');
  if (config.processes > 1 && config.processUrl !== undefined)
    env.problems.push('PROCESS_URL is the address of one process: it takes PROCESSES=1');
  const { mode, domains } = config.registration;
  if (mode === 'domain' && domains.length === 0)
    env.problems.push('REGISTRATION is domain, but REGISTRATION_DOMAINS names none');
  if (mode !== 'domain' && domains.length > 0)
    env.problems.push('REGISTRATION_DOMAINS is set, but REGISTRATION is not domain');
  const { username, password } = config.firstAdministrator;
  if (!/^[A-Za-z0-9_.-]{3,50}$/.test(username)) {
    env.problems.push('ADMIN_USERNAME takes 3 to 50 letters, digits, _ . and -');
  }
  // A longer password would be hashed only in part and then never match.
  if (password !== undefined && (Array.from(password).length < 8 || Buffer.byteLength(password) > 72)) {
    env.problems.push('ADMIN_PASSWORD takes 8 characters to 72 bytes');
  }
  if (env.problems.length > 0) throw new Error(`The configuration is not usable:\n  ${env.problems.join('\n  ')}`);
  return config;
}
