/**
 * The statuses of an attempt, in the order of its life. `features/attempts/README.md` has the diagram. `starting` is the reservation of an
 * attempt whose container is created while the request waits: no answer shows it.
 */
export type AttemptStatus = 'queued' | 'starting' | 'in_progress' | 'grading' | 'finished' | 'abandoned' | 'expired';
/** The statuses that answers have. */
export type ListedStatus = Exclude<AttemptStatus, 'starting'>;

/** Every question about the status of an attempt, and the statuses for which the answer is yes. SQL has them in `database/attempt-status.ts`. */
export const statusesThat = {
  /** Users see it. */
  isListed: ['queued', 'in_progress', 'grading', 'finished', 'abandoned', 'expired'],
  /** It has not ended. A user has at most one such attempt of all exams, and one of a laboratory. */
  isUnfinished: ['queued', 'starting', 'in_progress', 'grading'],
  /** It has not ended, and its user sees it. */
  isActive: ['queued', 'in_progress', 'grading'],
  /** Its clock has not started: it has no container that its user may work in. */
  awaitsContainer: ['queued', 'starting'],
  /** The answer to a start that has its container. */
  hasLeftQueue: ['in_progress', 'grading', 'finished', 'abandoned', 'expired'],
  /** It has a container, or one is being created for it. A queued attempt has one while it is being started. */
  holdsContainer: ['starting', 'in_progress', 'grading'],
  /** Its process starts or grades it. After the death of that process, others recover it. */
  needsProcess: ['starting', 'grading'],
  /** Its clock has started, and it has not ended. */
  isRunning: ['in_progress', 'grading'],
  /** It has not been submitted, so its user may work in it or will. */
  isUnsubmitted: ['queued', 'starting', 'in_progress'],
  /** Its user may abandon it. */
  canBeAbandoned: ['queued', 'in_progress'],
  /** Its clock has started, and it was not abandoned. Whether the clock of an abandoned one had started, its time limit tells. */
  isBegun: ['in_progress', 'grading', 'finished', 'expired'],
  /** It has ended with results. */
  isGraded: ['finished', 'expired'],
  /** It has ended. */
  isOver: ['finished', 'abandoned', 'expired'],
} as const satisfies Record<string, readonly AttemptStatus[]>;

export type StatusQuestion = keyof typeof statusesThat;

const answers =
  (question: StatusQuestion) =>
  ({ status }: { status: AttemptStatus }): boolean =>
    (statusesThat[question] as readonly AttemptStatus[]).includes(status);

export const isGraded = answers('isGraded');
