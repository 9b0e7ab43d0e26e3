import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { type Logger, pino } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { AvatarFolder } from './adapters/disk/avatar-folder.ts';
import { RecordingFolder } from './adapters/disk/recording-folder.ts';
import { connectEngine, type EnginePlace } from './adapters/docker/connect-engine.ts';
import { createLessonSource } from './adapters/git/create-lesson-source.ts';
import { SshShell } from './adapters/ssh/ssh-shell.ts';
import type { Config } from './config.ts';
import { Agreement } from './database/agreement.ts';
import { runAlone } from './database/alone.ts';
import { ChangeFeed } from './database/change-feed.ts';
import { connectDatabase, type DatabaseAddress, newClient } from './database/connect.ts';
import { Jobs } from './database/jobs.ts';
import { keyedHash } from './database/keyed-hash.ts';
import { Peers } from './database/peers.ts';
import { Presence } from './database/presence.ts';
import { adminActivityRoutes } from './features/admin/activity-routes.ts';
import { ActivityStore } from './features/admin/activity-store.ts';
import { adminAttemptRoutes } from './features/admin/attempt-routes.ts';
import { adminCatalogueRoutes } from './features/admin/catalogue-routes.ts';
import { catalogueTables } from './features/admin/catalogue-store.ts';
import { adminContainerRoutes } from './features/admin/container-routes.ts';
import { adminSystemRoutes } from './features/admin/system-routes.ts';
import { SystemService } from './features/admin/system-service.ts';
import { SystemStore } from './features/admin/system-store.ts';
import { adminTrialRoutes } from './features/admin/trial-routes.ts';
import { adminUserFileRoutes } from './features/admin/user-file-routes.ts';
import { adminUserRoutes } from './features/admin/user-routes.ts';
import { AttemptAdminService } from './features/attempts/attempt-admin-service.ts';
import { AttemptAdminStore } from './features/attempts/attempt-admin-store.ts';
import { Deadlines } from './features/attempts/deadlines.ts';
import { GradingTurns } from './features/attempts/grading-turns.ts';
import { AttemptMachine } from './features/attempts/machine.ts';
import { Reconciler } from './features/attempts/reconciler.ts';
import { attemptRoutes } from './features/attempts/routes.ts';
import { AttemptService } from './features/attempts/service.ts';
import { AttemptStore } from './features/attempts/store.ts';
import { KnownDeviceStore } from './features/auth/known-device-store.ts';
import { Passwords } from './features/auth/passwords.ts';
import { adminRegistrationCodeRoutes } from './features/auth/registration-code-routes.ts';
import { RegistrationCodeStore } from './features/auth/registration-code-store.ts';
import { RegistrationCountStore } from './features/auth/registration-count-store.ts';
import { RegistrationService } from './features/auth/registration-service.ts';
import { authRoutes } from './features/auth/routes.ts';
import { AuthService } from './features/auth/service.ts';
import { UserStore } from './features/auth/store.ts';
import { LoginThrottle } from './features/auth/throttle.ts';
import { Tokens } from './features/auth/tokens.ts';
import { UserAdminService } from './features/auth/user-admin-service.ts';
import { UserAdminStore } from './features/auth/user-admin-store.ts';
import { ContainerAdminService } from './features/containers/container-admin-service.ts';
import { ContainerAdminStore } from './features/containers/container-admin-store.ts';
import { DiskGuard } from './features/containers/disk-guard.ts';
import { Provisioner } from './features/containers/provisioner.ts';
import { containerRoutes } from './features/containers/routes.ts';
import { ContainerService } from './features/containers/service.ts';
import { ShellPool } from './features/containers/shell-pool.ts';
import { ContainerStore } from './features/containers/store.ts';
import { WarmPool } from './features/containers/warm-pool.ts';
import { dashboardRoutes } from './features/dashboard/routes.ts';
import { DashboardStore } from './features/dashboard/store.ts';
import { Grader } from './features/grading/grader.ts';
import { GradeBookStore } from './features/instructors/grade-book-store.ts';
import { ResultsStore } from './features/instructors/results-store.ts';
import { instructorRoutes } from './features/instructors/routes.ts';
import { InstructorService } from './features/instructors/service.ts';
import { lessonRoutes } from './features/lessons/routes.ts';
import { LessonService } from './features/lessons/service.ts';
import { LessonStore } from './features/lessons/store.ts';
import { PictureMaker } from './features/profile/picture.ts';
import { profileRoutes } from './features/profile/routes.ts';
import { ProfileService } from './features/profile/service.ts';
import { ProfileStore } from './features/profile/store.ts';
import { recordingRoutes } from './features/recordings/routes.ts';
import { RecordingService } from './features/recordings/service.ts';
import { RecordingStore } from './features/recordings/store.ts';
import { sweepRecordings } from './features/recordings/sweep.ts';
import { adminSubjectRoutes } from './features/subjects/admin-routes.ts';
import { SubjectAdminService } from './features/subjects/admin-service.ts';
import { subjectRoutes } from './features/subjects/routes.ts';
import { SubjectService } from './features/subjects/service.ts';
import { SubjectStore } from './features/subjects/store.ts';
import { systemRoutes } from './features/system/routes.ts';
import { terminalsElsewhere } from './features/terminal/elsewhere.ts';
import { RelayPasses } from './features/terminal/relay-passes.ts';
import { terminalRoutes } from './features/terminal/routes.ts';
import { TerminalService } from './features/terminal/service.ts';
import { TrialService } from './features/trials/service.ts';
import { TrialStore } from './features/trials/store.ts';
import { ownUrl } from './http/own-url.ts';
import { RequestCounts } from './http/request-counts.ts';
import { installRequestMetrics } from './http/request-log.ts';
import { serviceVersion } from './http/service-version.ts';
import type { ContainerEngine } from './ports/container-engine.ts';
import type { LessonSource } from './ports/lesson-source.ts';
import type { TerminalScreens } from './ports/terminal-screens.ts';
import { readOrCreateSecretKey } from './secret-key.ts';
import { buildServer } from './server.ts';
import { type Chore, Work } from './work.ts';
import { ScreenPool } from './workers/screens/screen-pool.ts';

/** What the outside gives. Tests replace parts of it to make failures happen. */
export type Outside = {
  database: DatabaseAddress;
  engine: EnginePlace;
  log?: Logger;
  containerEngine?: ContainerEngine;
  lessonSource?: LessonSource & AsyncDisposable;
  screens?: TerminalScreens & AsyncDisposable;
};

export type Application = Awaited<ReturnType<typeof compose>>;

/** Numbers of the advisory locks that keep work to one process at a time. */
const locks = { reconcile: 7_301, disks: 7_304 };
const day = 24 * 3600 * 1000;

export function createLog(config: Config): Logger {
  return pino({ level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}

/** Builds the service from its parts. The database is migrated already. Nothing listens until `listen`. */
export async function compose(config: Config, outside: Outside) {
  await using cleanup = new AsyncDisposableStack();
  const log = outside.log ?? createLog(config);

  const { db, pool } = connectDatabase({
    address: outside.database,
    ...config.database,
    onError: (error) => log.warn({ err: error }, 'an idle database connection was lost'),
  });
  cleanup.defer(() => db.destroy());
  const feed = cleanup.use(
    new ChangeFeed({
      newClient: () => newClient(outside.database),
      onError: (error) => log.warn({ err: error }, 'listening for changes was interrupted'),
      patience: config.database.silenceTimeout,
      onSilence: () => pool.shut(),
      onAnswer: () => pool.open(),
    }),
  );
  const peers = new Peers({ feed });
  const agreement = new Agreement(feed, peers);
  const requestCounts = new RequestCounts({
    max: config.rateLimit.max,
    tell: (text) => peers.tell('requests', text),
  });
  peers.hear('requests', (text) => requestCounts.hear(text));
  const jobs = new Jobs({ pool, onError: (error) => log.warn({ err: error }, 'the job queue was interrupted') });
  const work = new Work({ jobs, log });

  const secretKey = config.secretKey ?? (await readOrCreateSecretKey(config.dataDir));
  const hash = keyedHash(secretKey);
  const throttle = new LoginThrottle(db, config.logins, hash);
  const devices = new KnownDeviceStore(db, config.logins, hash);
  const users = new UserStore(db);
  const passwords = new Passwords(config.passwords);
  const auth = new AuthService({ users, feed, tokens: new Tokens(secretKey), passwords, throttle, devices });
  const codes = new RegistrationCodeStore(db, config.catalogue);
  const counts = new RegistrationCountStore(db, config.registration.perNetworkHour, hash);
  const registration = new RegistrationService({
    ...{ rules: config.registration, users, codes, counts, devices, passwords, throttle },
  });

  const lessonSource = cleanup.use(
    outside.lessonSource ??
      createLessonSource({
        ...config.lessons,
        dataDir: config.dataDir,
        shippedFolder: fileURLToPath(new URL('../content/lessons', import.meta.url)),
        log,
      }),
  );
  const lessons = new LessonService({
    store: new LessonStore(db),
    source: lessonSource,
    // A copy that cannot be brought up to date there is no reason to refuse here.
    refreshOthers: async () => void (await peers.ask('lessons', '', 1000 * config.lessons.timeoutSeconds)),
  });
  peers.answer('lessons', async () => (await lessonSource.refresh()).commit ?? undefined);

  const presence = cleanup.use(
    await Presence.begin({
      db,
      newClient: () => newClient(outside.database),
      onError: (error) => log.warn({ err: error }, 'the sign that this process lives was interrupted'),
    }),
  );
  const containerStore = new ContainerStore(db, presence.processId, config.containers);
  const installation = await containerStore.installationId();
  const engine = cleanup.use(
    outside.containerEngine ?? connectEngine(outside.engine, { installation, ...config.engine }),
  );
  const shell = new SshShell({ engine });
  const shells = cleanup.use(new ShellPool(shell));
  const provisioner = cleanup.use(new Provisioner({ engine, store: containerStore, shells, config, log }));
  const userAdmin = new UserAdminService({
    store: new UserAdminStore(db, throttle),
    users,
    passwords,
    auth,
    clearAfter: async ({ user, containers, recordingKeys }) => {
      provisioner.removeGivenUp(containers);
      await profiles.discardAvatar(user.avatar_key);
      await recordings.discard(recordingKeys);
    },
  });
  const warmPool = cleanup.use(
    new WarmPool({
      ...{ store: containerStore, provisioner, engine, config: config.containers, log },
      living: () => presence.living(),
    }),
  );
  const containers = new ContainerService({ engine, store: containerStore, provisioner, config: config.containers });

  const attempts = new AttemptStore(db, presence.processId, config.containers.laboratoriesPerUser);
  const grader = new Grader({ shells, ...config.grading });
  const gradingTurns = new GradingTurns(config.grading);
  const machine = new AttemptMachine({
    store: attempts,
    containers: containerStore,
    provisioner,
    engine,
    grader,
    turns: gradingTurns,
    giveUpMinutes: config.grading.giveUpMinutes,
    log,
    onStart: (attempt) => {
      warmPool.refillSoon();
      if (attempt.expires_at) work.expireAt(attempt.id, attempt.expires_at, `${attempt.id}`);
    },
  });
  const subjects = (['exam', 'laboratory'] as const).map((kind) => {
    const store = new SubjectStore(kind, db, config.catalogue);
    const service = new SubjectService({ kind, store, attempts, machine, feed });
    const admin = new SubjectAdminService({ kind, store, forget: () => service.forget() });
    return { kind, service, admin };
  });
  const attemptAdmin = new AttemptAdminService({
    store: new AttemptAdminStore(db),
    attempts,
    machine,
    onExtend: ({ id, expires_at }) => {
      if (expires_at) work.expireAt(id, expires_at, `${id}-${expires_at.getTime()}`);
    },
  });
  const trials = new TrialService({
    store: new TrialStore(db),
    ...{ containers: containerStore, provisioner, shell, grader, config: config.trials, log },
    onPublish: () => {
      for (const { service } of subjects) service.forget();
      warmPool.refillSoon();
    },
  });
  const containerAdmin = new ContainerAdminService({ store: new ContainerAdminStore(db), provisioner });
  const deadlines = new Deadlines({ machine, store: attempts, limits: config.grading, log });
  const reconciler = new Reconciler({
    engine,
    containers: containerStore,
    provisioner,
    attempts,
    deadlines,
    pool: warmPool,
    limits: {
      sandboxIdleMinutes: config.containers.sandboxIdleMinutes,
      sandboxMaxHours: config.containers.sandboxMaxHours,
    },
    log,
    alone: (work) => runAlone(pool, locks.reconcile, work),
    gone: () => presence.gone(),
  });

  const profiles = new ProfileService({
    store: new ProfileStore(db),
    files: new AvatarFolder(join(config.dataDir, 'avatars')),
    pictures: new PictureMaker(config.avatars),
    auth,
    log,
  });

  const recordingParts = {
    store: new RecordingStore(db),
    files: new RecordingFolder(join(config.dataDir, 'recordings')),
  };
  const recordings = cleanup.use(new RecordingService({ ...recordingParts, log, config: config.recordings }));

  const screens = cleanup.use(outside.screens ?? new ScreenPool({ ...config.terminal, ...config.screens, log }));
  const passes = new RelayPasses(secretKey);
  const terminals = new TerminalService({
    shell,
    screens,
    containers,
    passes,
    elsewhere: terminalsElsewhere(peers, passes, () => config.processUrl ?? ownUrl(app, config.host)),
    record: (attemptId, size) => recordings.record(attemptId, size),
    sessions: auth,
    options: config.terminal,
    log,
  });

  const diskGuard = new DiskGuard({
    engine,
    store: containerStore,
    limits: { bytes: config.containers.diskMb * 1024 * 1024, files: config.containers.files },
    warn: (containerId) => {
      terminals.warnOfDisk(containerId);
      peers.tell('disk', `${containerId}`);
    },
    log,
  });
  peers.hear('disk', (text) => terminals.warnOfDisk(Number(text)));

  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const app = await buildServer({
    config,
    log,
    authenticate: (token) => auth.authenticate(token),
    requestCounts,
    agreement: () => agreement.reached(),
    pages: fileURLToPath(new URL('../web/dist', import.meta.url)),
    prepare: (server) => installRequestMetrics(server, registry),
    routes: [
      authRoutes(auth, registration),
      lessonRoutes(lessons),
      containerRoutes(containers),
      ...subjects.flatMap(({ kind, service }) => [
        subjectRoutes(service),
        attemptRoutes(new AttemptService({ kind, store: attempts, machine })),
      ]),
      recordingRoutes(recordings),
      adminUserRoutes(userAdmin),
      adminContainerRoutes(containerAdmin),
      adminAttemptRoutes(attemptAdmin),
      adminActivityRoutes(new ActivityStore(db)),
      adminSystemRoutes(
        new SystemService({
          store: new SystemStore(db),
          version: serviceVersion,
          ...{ dataDir: config.dataDir, engine, warmPool, terminals, presence },
          grading: gradingTurns,
          starts: provisioner,
        }),
      ),
      adminUserFileRoutes(userAdmin),
      adminRegistrationCodeRoutes(codes),
      adminCatalogueRoutes(catalogueTables(db, config.catalogue)),
      ...subjects.map(({ admin }) => adminSubjectRoutes(admin)),
      adminTrialRoutes(trials),
      instructorRoutes(
        new InstructorService({ results: new ResultsStore(db), gradeBooks: new GradeBookStore(db), attempts }),
      ),
      dashboardRoutes(new DashboardStore(db)),
      profileRoutes(profiles),
      terminalRoutes(terminals, config.corsOrigins),
      systemRoutes({
        registry,
        metricsToken: config.metricsToken,
        checkDatabase: async () => void (await sql`select 1`.execute(db)),
        engineProblem: () => engine.problem(),
      }),
    ],
  });
  cleanup.defer(() => app.close());
  // Before the server waits for its requests: hundreds of logins can wait for their turns, and a trial can take minutes.
  cleanup.use(passwords);
  cleanup.use(trials);
  // Before the server closes its sockets, so that clients learn why.
  cleanup.use(terminals);

  await feed.start();
  const owned = cleanup.move();

  const { days } = config.recordings;
  const chores: Chore[] = [
    {
      failure: 'reconciling failed',
      interval: config.reconcileInterval,
      atOnce: true,
      work: () => reconciler.run(),
    },
    {
      failure: 'failed logins and registrations could not be tidied up',
      interval: config.reconcileInterval,
      work: () => Promise.all([throttle.clean(), counts.clean(), devices.clean()]),
    },
    {
      failure: 'avatars could not be tidied up',
      interval: day,
      atOnce: true,
      work: async () => {
        const removed = await profiles.removeOrphans();
        if (removed > 0) log.info({ removed }, 'removed avatars of users that are gone');
      },
    },
    {
      failure: 'recordings could not be tidied up',
      interval: day,
      atOnce: true,
      work: async () => {
        const swept = await sweepRecordings({ ...recordingParts, days });
        if (Object.values(swept).some((count) => count > 0)) log.info(swept, 'tidied up the recordings');
      },
    },
  ];
  if (config.containers.diskCheckInterval > 0)
    chores.push({
      failure: 'the sizes of containers could not be read',
      interval: config.containers.diskCheckInterval,
      work: () => runAlone(pool, locks.disks, () => diskGuard.look()),
    });

  return {
    app,
    auth,
    db,
    log,
    profiles,
    reconciler,
    /** Starts the work behind the requests, then listens. @returns the address, such as `http://127.0.0.1:8000` */
    listen: async (): Promise<string> => {
      owned.use(work);
      await work.begin({ expire: (id) => deadlines.expire(id), concurrency: config.grading.concurrency, chores });
      lessonSource.open().catch((error: unknown) => log.warn({ err: error }, 'the lessons are not there yet'));
      return await app.listen({ host: config.host, port: config.port });
    },
    [Symbol.asyncDispose]: async (): Promise<void> => await owned.disposeAsync(),
  };
}
