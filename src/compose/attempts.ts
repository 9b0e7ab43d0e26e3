import { recordState } from '../database/catalogue/revisions.ts';
import { keyedHash } from '../database/keyed-hash.ts';
import { runAlone } from '../database/processes/alone.ts';
import { AssessmentAdminService } from '../features/assessments/admin-service.ts';
import { SetupFileService } from '../features/assessments/file-service.ts';
import { SetupFileStore } from '../features/assessments/file-store.ts';
import { RevisionListStore } from '../features/assessments/revision-list-store.ts';
import { AssessmentService } from '../features/assessments/service.ts';
import { AssessmentStore } from '../features/assessments/store.ts';
import { AnswerService } from '../features/attempts/answers/service.ts';
import { AnswerStore } from '../features/attempts/answers/store.ts';
import { AttemptAdminService } from '../features/attempts/attempt-admin-service.ts';
import { AttemptAdminStore } from '../features/attempts/attempt-admin-store.ts';
import { BreakService } from '../features/attempts/breaks/service.ts';
import { BreakStore } from '../features/attempts/breaks/store.ts';
import { Gradings } from '../features/attempts/gradings/gradings.ts';
import { ResultStore } from '../features/attempts/gradings/result-store.ts';
import { GradingStore } from '../features/attempts/gradings/store.ts';
import { GradingTurns } from '../features/attempts/gradings/turns.ts';
import { AttemptMachine } from '../features/attempts/machine.ts';
import { Deadlines } from '../features/attempts/recovery/deadlines.ts';
import { Reconciler } from '../features/attempts/recovery/reconciler.ts';
import { RecoveryStore } from '../features/attempts/recovery/store.ts';
import { Reopening } from '../features/attempts/reopening/service.ts';
import { ReopenStore } from '../features/attempts/reopening/store.ts';
import { RevisionStore } from '../features/attempts/revision-store.ts';
import { AttemptService } from '../features/attempts/service.ts';
import { SolutionStore } from '../features/attempts/solution-store.ts';
import { StartQueue } from '../features/attempts/starts/queue.ts';
import { QueueStore } from '../features/attempts/starts/queue-store.ts';
import { Starts } from '../features/attempts/starts/starts.ts';
import { StartStore } from '../features/attempts/starts/store.ts';
import { type AttemptRow, AttemptStore } from '../features/attempts/store.ts';
import { Visibility } from '../features/attempts/visibility.ts';
import { SilentCheckStore } from '../features/exam-room/silent-check-store.ts';
import { AdmissionStore } from '../features/exam-sessions/admission-store.ts';
import { Grader } from '../features/grading/grader.ts';
import { RegradeReadStore } from '../features/regrades/read-store.ts';
import { Regrades } from '../features/regrades/service.ts';
import { RegradeStore } from '../features/regrades/store.ts';
import { opponents } from '../features/trials/opponent-program.ts';
import { TrialService } from '../features/trials/service.ts';
import { TrialStore } from '../features/trials/store.ts';
import type { AccountParts } from './accounts.ts';
import type { ClassParts } from './classes.ts';
import type { ContainerParts } from './containers.ts';
import type { DatabaseParts } from './database.ts';
import type { LessonParts } from './lessons.ts';
import type { Surroundings } from './parts.ts';

/** Exams, laboratories, their attempts and grading, and authors' trials. */
export function composeAttempts(
  { config, overrides, log, cleanup }: Surroundings,
  { db, pool, feed, presence, work }: DatabaseParts,
  { secretKey, throttle }: AccountParts,
  { courseAccess, deadlinesOfClasses }: ClassParts,
  { openings }: LessonParts,
  {
    containerStore,
    reservations,
    installation,
    engine,
    shell,
    shells,
    provisioner,
    removals,
    evidence,
    creations,
    lost,
    holds,
    warmPool,
  }: ContainerParts,
) {
  const attempts = new AttemptStore(db);
  const states = new RevisionStore(db);
  const answers = new AnswerStore(db);
  const admission = new AdmissionStore(keyedHash(secretKey));
  const visibility = new Visibility(attempts);
  const { queue: queueLimits, laboratoriesPerUser } = config.containers;
  const startStore = new StartStore({
    ...{ db, processId: presence.processId, sessions: admission, capacity: reservations },
    limits: { laboratoriesPerUser, maxQueued: queueLimits.max },
  });
  const recovery = new RecoveryStore(db);
  const grader = new Grader({ shells, ...config.grading });
  const gradingTurns = new GradingTurns(config.grading);
  const grading = new GradingStore(db, presence.processId);
  const silentCheckStore = new SilentCheckStore(db);
  const gradings = new Gradings({
    ...{ store: attempts, grading, containers: containerStore, removals, engine, grader, lost, turns: gradingTurns },
    results: new ResultStore(db, presence.processId),
    ...{ answers, states },
    isLookedAt: (id) => silentCheckStore.isLookedAt(id),
    giveUpMinutes: config.grading.giveUpMinutes,
    log,
  });
  const onMoved = (attempt: AttemptRow): void => work.scheduleEnd(attempt);
  const breakStore = new BreakStore(db);
  const breaks = new BreakService(breakStore, onMoved);
  const machine = new AttemptMachine({ store: attempts, grading, gradings, containers: containerStore, removals });
  const queueStore = new QueueStore(db, presence.processId, config.containers.max);
  const starts = new Starts({
    ...{ starts: startStore, queue: queueStore, store: attempts, grading, containers: containerStore },
    ...{ provisioner, removals, engine, log },
    onStart: (attempt) => {
      warmPool.refillSoon();
      work.scheduleEnd(attempt);
    },
  });
  const queue = cleanup.use(
    new StartQueue({
      ...{ reservations: startStore, starts, queue: queueStore, store: attempts, containers: containerStore },
      ...{ creations, engine, feed, log },
      ...{ concurrency: config.containers.starts.concurrency, stopTimeout: config.stopTimeout },
    }),
  );
  const solutions = new SolutionStore(db, (userId, laboratoryId) => deadlinesOfClasses.lastOf(userId, laboratoryId));
  const assessments = (['exam', 'laboratory'] as const).map((kind) => {
    const store = new AssessmentStore(kind, db, pool, config.catalogue);
    const revisions = new RevisionListStore(kind, db, states);
    const service = new AssessmentService({
      ...{ kind, store, attempts, states, machine, queue, feed, courseAccess, visibility, solutions, creations },
      ...{ openings, revisions },
      accessCodes: throttle,
      startPatience: 30_000 + 1000 * config.containers.setupSeconds,
    });
    return {
      store,
      service,
      admin: new AssessmentAdminService({
        ...{ kind, store, revisions, engine },
        forget: () => service.forget(),
      }),
      files: new SetupFileService({
        kind,
        store: new SetupFileStore(kind, db, config.catalogue),
        maxBytes: config.catalogue.fileBytes,
      }),
      answers: new AnswerService({ kind, store: attempts, answers, states, visibility, solutions }),
      attempts: new AttemptService({
        kind,
        store: attempts,
        breaks: breakStore,
        queue: queueStore,
        machine,
        visibility,
        solutions,
      }),
    };
  });
  const forgetAssessments = (): void => {
    for (const { service } of assessments) service.forget();
  };
  const attemptAdmin = new AttemptAdminService({
    store: new AttemptAdminStore(db),
    attempts,
    machine,
    onExtend: onMoved,
  });
  const reopenStore = new ReopenStore(db, reservations);
  const reopening = new Reopening({
    ...{ store: reopenStore, evidence, provisioner, removals, engine },
    onReopen: onMoved,
  });
  const regrades = cleanup.use(
    new Regrades({
      ...{ states, answers, evidence, reservations, provisioner, removals, engine, grader, log },
      ...{ store: new RegradeStore(db), reading: new RegradeReadStore(db) },
      alone: (round) => runAlone(pool, 'regrades', round),
    }),
  );
  const trials = new TrialService({
    store: new TrialStore(db, async (kind, trx, actorId, id, changes) => {
      const { store } = assessments.find(({ service }) => service.kind === kind) ?? {};
      await store?.save(trx, actorId, id, changes);
    }),
    ...{ reservations, provisioner, removals, shell, grader, engine, config: config.trials, log },
    opponents: overrides.opponents ?? opponents,
    onPublish: async ({ kind, id }) => {
      forgetAssessments();
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
    starts: startStore,
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
      queueAbsenceMinutes: queueLimits.absenceMinutes,
    },
    log,
    alone: (round) => runAlone(pool, 'reconciling', round),
    gone: () => presence.gone(),
  });
  return {
    attempts,
    states,
    silentCheckStore,
    gradingTurns,
    assessments,
    forgetAssessments,
    attemptAdmin,
    reopening,
    reopenStore,
    regrades,
    trials,
    breaks,
    deadlines,
    reconciler,
    onMoved,
  };
}

export type AttemptParts = ReturnType<typeof composeAttempts>;
