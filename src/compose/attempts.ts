import { recordState } from '../database/catalogue/subject-states.ts';
import { keyedHash } from '../database/keyed-hash.ts';
import { runAlone } from '../database/processes/alone.ts';
import { AttemptAdminService } from '../features/attempts/attempt-admin-service.ts';
import { AttemptAdminStore } from '../features/attempts/attempt-admin-store.ts';
import { BreakService } from '../features/attempts/break-service.ts';
import { BreakStore } from '../features/attempts/break-store.ts';
import { Deadlines } from '../features/attempts/deadlines.ts';
import { GradingStore } from '../features/attempts/grading-store.ts';
import { GradingTurns } from '../features/attempts/grading-turns.ts';
import { Gradings } from '../features/attempts/gradings.ts';
import { AttemptMachine } from '../features/attempts/machine.ts';
import { QueuePlaceStore } from '../features/attempts/queue-place-store.ts';
import { QueueStore } from '../features/attempts/queue-store.ts';
import { QueuedStarts } from '../features/attempts/queued-starts.ts';
import { Reconciler } from '../features/attempts/reconciler.ts';
import { RecoveryStore } from '../features/attempts/recovery-store.ts';
import { ResultStore } from '../features/attempts/result-store.ts';
import { AttemptService } from '../features/attempts/service.ts';
import { StartQueue } from '../features/attempts/start-queue.ts';
import { StartStore } from '../features/attempts/start-store.ts';
import { StateStore } from '../features/attempts/state-store.ts';
import { type AttemptRow, AttemptStore } from '../features/attempts/store.ts';
import { Visibility } from '../features/attempts/visibility.ts';
import { VisibilityStore } from '../features/attempts/visibility-store.ts';
import { claimWarm } from '../features/capacity/claim-store.ts';
import type { Reserved } from '../features/capacity/reservation-store.ts';
import { AdmissionStore } from '../features/exam-sessions/admission-store.ts';
import { Grader } from '../features/grading/grader.ts';
import { SubjectAdminService } from '../features/subjects/admin-service.ts';
import { SetupFileService } from '../features/subjects/file-service.ts';
import { SetupFileStore } from '../features/subjects/file-store.ts';
import { RunningStatesStore } from '../features/subjects/running-states-store.ts';
import { SubjectService } from '../features/subjects/service.ts';
import { SubjectStore } from '../features/subjects/store.ts';
import { opponents } from '../features/trials/opponent-program.ts';
import { TrialService } from '../features/trials/service.ts';
import { TrialStore } from '../features/trials/store.ts';
import type { AccountParts } from './accounts.ts';
import type { ClassParts } from './classes.ts';
import type { ContainerParts } from './containers.ts';
import type { DatabaseParts } from './database.ts';
import type { Surroundings } from './parts.ts';

/** Exams, laboratories, their attempts and grading, and authors' trials. */
export function composeAttempts(
  { config, overrides, log, cleanup }: Surroundings,
  { db, pool, feed, presence, work }: DatabaseParts,
  { secretKey, throttle }: AccountParts,
  { courseAccess }: ClassParts,
  {
    containerStore,
    reservations,
    installation,
    engine,
    shell,
    shells,
    provisioner,
    removals,
    creations,
    lost,
    holds,
    warmPool,
  }: ContainerParts,
) {
  const attempts = new AttemptStore(db);
  const states = new StateStore(db);
  const admission = new AdmissionStore(keyedHash(secretKey));
  const visibility = new Visibility(new VisibilityStore(db));
  const starts = new StartStore(db, presence.processId, config.containers.laboratoriesPerUser, admission, claimWarm);
  const recovery = new RecoveryStore(db);
  const grader = new Grader({ shells, ...config.grading });
  const gradingTurns = new GradingTurns(config.grading);
  const grading = new GradingStore(db, presence.processId);
  const gradings = new Gradings({
    ...{ store: attempts, grading, containers: containerStore, removals, engine, grader, lost, turns: gradingTurns },
    results: new ResultStore(db, presence.processId),
    states,
    giveUpMinutes: config.grading.giveUpMinutes,
    log,
  });
  const onStart = (attempt: AttemptRow): void => {
    warmPool.refillSoon();
    if (attempt.expires_at) work.expireAt(attempt.id, attempt.expires_at, `${attempt.id}`);
  };
  const onMoved = ({ id, expires_at, break_ends_at, paused_at }: AttemptRow): void => {
    if (break_ends_at) work.expireAt(id, break_ends_at, `${id}-break-${break_ends_at.getTime()}`);
    else if (expires_at && paused_at === null) work.expireAt(id, expires_at, `${id}-${expires_at.getTime()}`);
  };
  const breakStore = new BreakStore(db);
  const breaks = new BreakService(breakStore, onMoved);
  lost.onMoved = onMoved;
  const machine = new AttemptMachine({
    ...{ store: attempts, starts, grading, gradings, containers: containerStore, provisioner, removals, onStart },
  });
  const { queue: limits, starts: atOnce } = config.containers;
  const queueStore = new QueueStore<Reserved>({
    ...{ db, processId: presence.processId, max: limits.max, starts },
    decide: (choose) => reservations.decide(choose),
  });
  const places = new QueuePlaceStore(db, config.containers.max);
  const queue = cleanup.use(
    new StartQueue({
      ...{ queue: queueStore, places, store: attempts, containers: containerStore, creations, engine, feed, log },
      ...{ concurrency: atOnce.concurrency, stopTimeout: config.stopTimeout },
      starts: new QueuedStarts({
        ...{ queue: queueStore, store: attempts, starts, grading, containers: containerStore },
        ...{ provisioner, removals, engine, onStart, log },
      }),
    }),
  );
  const subjects = (['exam', 'laboratory'] as const).map((kind) => {
    const store = new SubjectStore(kind, db, config.catalogue);
    const service = new SubjectService({
      ...{ kind, store, attempts, states, machine, queue, feed, courseAccess, visibility, creations },
      accessCodes: throttle,
      startPatience: 30_000 + 1000 * config.containers.setupSeconds,
    });
    return {
      store,
      service,
      admin: new SubjectAdminService({
        ...{ kind, store, states: new RunningStatesStore(kind, db), engine },
        forget: () => service.forget(),
      }),
      files: new SetupFileService({
        kind,
        store: new SetupFileStore(kind, db, config.catalogue),
        maxBytes: config.catalogue.fileBytes,
      }),
      attempts: new AttemptService({
        kind,
        store: attempts,
        breaks: breakStore,
        queue: queueStore,
        places,
        machine,
        visibility,
      }),
    };
  });
  const attemptAdmin = new AttemptAdminService({
    store: new AttemptAdminStore(db),
    attempts,
    machine,
    onExtend: onMoved,
  });
  const trials = new TrialService({
    store: new TrialStore(db, async (kind, trx, actorId, id, changes) => {
      const { store } = subjects.find(({ service }) => service.kind === kind) ?? {};
      await store?.save(trx, actorId, id, changes);
    }),
    ...{ reservations, provisioner, removals, shell, grader, engine, config: config.trials, log },
    opponents: overrides.opponents ?? opponents,
    onPublish: async ({ kind, id }) => {
      for (const { service } of subjects) service.forget();
      warmPool.refillSoon();
      // Otherwise the next start does it.
      await recordState(db, kind, id);
    },
  });
  const deadlines = new Deadlines({ machine, store: recovery, limits: config.grading, log });
  const reconciler = new Reconciler({
    engine,
    containers: containerStore,
    installation,
    removals,
    lost,
    holds,
    attempts,
    starts,
    queue,
    queueStore,
    recovery,
    states,
    breaks,
    deadlines,
    pool: warmPool,
    limits: {
      setupSeconds: config.containers.setupSeconds,
      sandboxIdleMinutes: config.containers.sandboxIdleMinutes,
      sandboxMaxHours: config.containers.sandboxMaxHours,
      queueAbsenceMinutes: limits.absenceMinutes,
    },
    log,
    alone: (round) => runAlone(pool, 'reconciling', round),
    gone: () => presence.gone(),
  });
  return { attempts, states, gradingTurns, subjects, attemptAdmin, trials, breaks, deadlines, reconciler, onMoved };
}

export type AttemptParts = ReturnType<typeof composeAttempts>;
