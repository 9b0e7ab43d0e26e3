import { runAlone } from '../database/processes/alone.ts';
import { AttemptAdminService } from '../features/attempts/attempt-admin-service.ts';
import { AttemptAdminStore } from '../features/attempts/attempt-admin-store.ts';
import { Deadlines } from '../features/attempts/deadlines.ts';
import { GradingStore } from '../features/attempts/grading-store.ts';
import { GradingTurns } from '../features/attempts/grading-turns.ts';
import { AttemptMachine } from '../features/attempts/machine.ts';
import { Reconciler } from '../features/attempts/reconciler.ts';
import { RecoveryStore } from '../features/attempts/recovery-store.ts';
import { ResultStore } from '../features/attempts/result-store.ts';
import { AttemptService } from '../features/attempts/service.ts';
import { StartStore } from '../features/attempts/start-store.ts';
import { AttemptStore } from '../features/attempts/store.ts';
import { ExamAdminService } from '../features/exams/exam-admin-service.ts';
import { ExamAdminStore } from '../features/exams/exam-admin-store.ts';
import { ExamService } from '../features/exams/service.ts';
import { ExamStore } from '../features/exams/store.ts';
import { Grader } from '../features/grading/grader.ts';
import { LaboratoryService } from '../features/laboratories/service.ts';
import { LaboratoryStore } from '../features/laboratories/store.ts';
import { TrialService } from '../features/trials/service.ts';
import { TrialStore } from '../features/trials/store.ts';
import type { ContainerParts } from './containers.ts';
import type { DatabaseParts } from './database.ts';
import type { Surroundings } from './parts.ts';

/** The advisory lock that keeps reconciling to one process at a time. */
const reconcileLock = 7_301;

/** Exams and laboratories, attempts of them, their grading, and trials by their authors. */
export function composeAttempts(
  { config, log }: Surroundings,
  { db, pool, feed, presence, work }: DatabaseParts,
  { containerStore, reservations, installation, engine, shell, shells, provisioner, warmPool }: ContainerParts,
) {
  const attempts = new AttemptStore(db);
  const starts = new StartStore(db, presence.processId, config.containers.laboratoriesPerUser);
  const recovery = new RecoveryStore(db);
  const grader = new Grader({ shells, ...config.grading });
  const gradingTurns = new GradingTurns(config.grading);
  const machine = new AttemptMachine({
    store: attempts,
    starts,
    grading: new GradingStore(db, presence.processId),
    results: new ResultStore(db, presence.processId),
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
  const exams = new ExamService({ store: new ExamStore(db, config.catalogue), attempts, machine, feed });
  const laboratories = new LaboratoryService({
    store: new LaboratoryStore(db, config.catalogue),
    attempts,
    machine,
    feed,
  });
  const examAdmin = new ExamAdminService({ store: new ExamAdminStore(db), exams });
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
    ...{ reservations, provisioner, shell, grader, config: config.trials, log },
    onPublish: () => {
      exams.forget();
      laboratories.forget();
      warmPool.refillSoon();
    },
  });
  const deadlines = new Deadlines({ machine, store: recovery, limits: config.grading, log });
  const reconciler = new Reconciler({
    engine,
    containers: containerStore,
    installation,
    provisioner,
    attempts,
    starts,
    recovery,
    deadlines,
    pool: warmPool,
    limits: {
      sandboxIdleMinutes: config.containers.sandboxIdleMinutes,
      sandboxMaxHours: config.containers.sandboxMaxHours,
    },
    log,
    alone: (round) => runAlone(pool, reconcileLock, round),
    gone: () => presence.gone(),
  });
  const examAttempts = new AttemptService({ kind: 'exam', store: attempts, machine });
  const laboratoryAttempts = new AttemptService({ kind: 'laboratory', store: attempts, machine });
  return {
    ...{ attempts, gradingTurns, exams, laboratories, examAdmin, attemptAdmin, trials, deadlines, reconciler },
    ...{ examAttempts, laboratoryAttempts },
  };
}

export type AttemptParts = ReturnType<typeof composeAttempts>;
