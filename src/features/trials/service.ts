import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { ConcurrencyLimiter } from '../../../packages/limits/concurrency-limiter.ts';
import type { ContainerShell, PlacedFile } from '../../../packages/ssh/container-shell.ts';
import type { Config } from '../../config.ts';
import { pick } from '../../entities/fields.ts';
import { type Task, taskDefaults, taskPrograms, type trialTaskFields } from '../../entities/task.ts';
import { checkTask, completed, type KindField, type KindInputs, variedTasks } from '../../entities/task-kinds/kinds.ts';
import {
  ConflictError,
  found,
  NotFoundError,
  overloaded,
  ServiceError,
  tooManyAtOnce,
  UnavailableError,
} from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import type { ContainerEngine } from '../../ports/container-engine.ts';
import { lineFeedsIn } from '../../values/line-feeds.ts';
import { setupScripts } from '../../values/parameters.ts';
import { draw, isVaried } from '../../values/variant.ts';
import { type Setup, SetupFailedError } from '../capacity/container-setup.ts';
import type { Provisioner } from '../capacity/provisioner.ts';
import type { ContainerRemovals } from '../capacity/removals.ts';
import type { ReservationStore } from '../capacity/reservation-store.ts';
import type { Grader } from '../grading/grader.ts';
import { tryAnswers } from './answer-trial.ts';
import type { Opponent } from './opponent-program.ts';
import { runAttacks } from './opponents.ts';
import type { Changes, TrialAssessment, TrialStore, TriedTask } from './store.ts';
import { recordOtherValues, reportOf, runTrial, type TrialReport } from './trial.ts';

type Kind = 'exam' | 'laboratory';
type Place = { kind: Kind; id: number };
/** An exam or a laboratory as it is tried, from the database or from files. */
export type TriedAssessment = Pick<TrialAssessment, 'container_image' | 'user' | 'setup_script' | 'tasks'> & {
  files: readonly PlacedFile[];
  is_sequential?: boolean;
};
/** The tasks that are tried. With `isAfterEarlier` the solutions of the tasks before them run first. */
type Selection = { tasks: TriedAssessment['tasks']; isAfterEarlier?: boolean };
/** What replaces the saved scripts of a task. */
type UnsavedScripts = Omit<Partial<Pick<Task, (typeof trialTaskFields)[number]>>, KindField> & KindInputs;

export type TrialServiceParts = {
  store: TrialStore;
  reservations: Pick<ReservationStore, 'reserveTrial'>;
  provisioner: Pick<Provisioner, 'make'>;
  removals: Pick<ContainerRemovals, 'remove'>;
  shell: ContainerShell;
  grader: Grader;
  engine: Pick<ContainerEngine, 'grantsRoot'>;
  config: Config['trials'];
  opponents: readonly Opponent[];
  log: FastifyBaseLogger;
  /** Called after publication, so that the assessment appears at once. A failure is only logged. */
  onPublish: (place: Place) => Promise<void>;
};

/** Tries the scripts of exams and laboratories on separate containers, and publishes an assessment that passes its trial. */
export class TrialService implements AsyncDisposable {
  readonly #parts: TrialServiceParts;
  readonly #queue: ConcurrencyLimiter;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  /** Unfinished trials of each author who is no administrator. */
  readonly #shares = new Map<number, number>();

  constructor(parts: TrialServiceParts) {
    this.#parts = parts;
    this.#queue = new ConcurrencyLimiter(parts.config, overloaded('Other scripts are being tried; try again later'));
  }

  /**
   * @param changes are tried and not saved
   * @param signal cancels a trial that no client waits for
   * @throws NotFoundError; TooManyRequestsError beyond the author's share; UnavailableError without a container, a free place or an end in time
   */
  async try(caller: Caller, { kind, id }: Place, changes: Changes, signal: AbortSignal): Promise<TrialReport> {
    const assessment = changed(await this.#assessment(kind, id), changes);
    const report = await this.#runFor(caller, assessment, signal);
    await this.#parts.store.logTrial(caller.id, kind, assessment, { is_ok: report.is_ok });
    return report;
  }

  /**
   * Tries one task alone, on a fresh container with the set-up of all tasks.
   * @param scripts replace its own, and are not saved
   * @throws as try
   */
  async tryTask(
    caller: Caller,
    place: Place & { taskId: number },
    scripts: UnsavedScripts,
    signal: AbortSignal,
  ): Promise<TrialReport> {
    const assessment = await this.#assessment(place.kind, place.id);
    const task = assessment.tasks.find(({ id }) => id === place.taskId);
    if (!task) throw new NotFoundError('not_found', 'Task not found');
    const tried = asSaved({ ...task, ...lineFeedsIn(scripts) });
    const tasks = assessment.tasks.map((other) => (other === task ? tried : other));
    const report = await this.#runFor(caller, { ...assessment, tasks }, signal, { tasks: [tried] });
    const details = { task_id: task.id, is_ok: report.is_ok };
    await this.#parts.store.logTrial(caller.id, place.kind, assessment, details);
    return report;
  }

  /**
   * Publishes it to students if its trial finds no problem. The changes are tried with the rest, and saved in the same transaction.
   * Attempts that have begun are not affected.
   * @throws as try; ConflictError otherwise, which names the tasks. Then `refusal` has the report
   */
  async publish(caller: Caller, { kind, id }: Place, changes: Changes, signal: AbortSignal): Promise<TrialReport> {
    const { store, onPublish, log } = this.#parts;
    const stored = await this.#assessment(kind, id);
    const assessment = changed(stored, changes);
    if (assessment.tasks.length === 0) throw new ConflictError('no_tasks', `This ${kind} has no tasks yet`);
    const report = await this.#runFor(caller, assessment, signal);
    await this.#parts.store.logTrial(caller.id, kind, assessment, { is_ok: report.is_ok });
    const problems = [
      ...(report.setup ? [`set-up: ${report.setup.problem}`] : []),
      ...report.tasks.flatMap(({ title, problem }) => (problem === null ? [] : [`${title}: ${problem}`])),
    ];
    if (problems.length > 0) {
      await store.keepRefusal(caller.id, kind, id, report);
      throw new ConflictError(
        'trial_failed',
        `The ${kind} is not published, as its trial failed: ${problems.join('; ')}`,
      );
    }
    await store.publish(caller.id, kind, stored, hasChanges(changes) ? changes : undefined);
    await onPublish({ kind, id }).catch((error: unknown) =>
      log.warn({ err: error }, 'the state of what was published could not be recorded'),
    );
    return report;
  }

  /** The report of the caller's last refused publication. @throws NotFoundError if there is none, or it has been published since */
  async refusal(caller: Caller, { kind, id }: Place): Promise<TrialReport> {
    return found(await this.#parts.store.refusal(caller.id, kind, id), 'report') as TrialReport;
  }

  /**
   * @param selection the tasks that are tried, by default all; the containers have the set-up of the whole assessment
   * @throws as try, except NotFoundError
   */
  async run(assessment: TriedAssessment, given: AbortSignal, selection: Selection = assessment): Promise<TrialReport> {
    const { config } = this.#parts;
    const trial = this.#queue.run(async () => {
      const deadline = AbortSignal.timeout(config.minutes * 60_000);
      const signal = AbortSignal.any([given, deadline, this.#stopping.signal]);
      try {
        signal.throwIfAborted();
        return await this.#runInContainers(assessment, selection, signal);
      } catch (error) {
        if (error instanceof SetupFailedError)
          return {
            ...{ is_ok: false, problem: null, problem_code: null, tasks: [] },
            setup: { ...error.problem, output: error.output },
          };
        if (error instanceof ServiceError) throw error;
        this.#parts.log.warn({ err: error }, 'a trial was interrupted');
        const reason = deadline.aborted ? `took longer than ${config.minutes} minutes` : 'was interrupted';
        throw new UnavailableError('trial_interrupted', `The trial ${reason}`, { cause: error });
      }
    });
    this.#running.add(trial);
    return await trial.finally(() => this.#running.delete(trial));
  }

  /** Cancels running trials. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort(new Error('The service is stopping'));
    await Promise.allSettled(this.#running);
  }

  /** A trial takes a container from the students. @throws TooManyRequestsError beyond the share of an author; see run */
  async #runFor({ id, role }: Caller, ...given: Parameters<TrialService['run']>): Promise<TrialReport> {
    if (role === 'admin') return await this.run(...given);
    const own = this.#shares.get(id) ?? 0;
    if (own >= this.#parts.config.perAuthor) throw tooManyAtOnce('Other trials of yours have not ended yet')();
    this.#shares.set(id, own + 1);
    try {
      return await this.run(...given);
    } finally {
      const left = (this.#shares.get(id) ?? 1) - 1;
      if (left > 0) this.#shares.set(id, left);
      else this.#shares.delete(id);
    }
  }

  /** Runs on new containers: all that is selected with the values of one attempt, then what has parameters with those of others. */
  async #runInContainers(given: TriedAssessment, selection: Selection, signal: AbortSignal) {
    const { shell, grader, config, engine } = this.#parts;
    const { solutionSeconds } = config;
    const isSequential = given.is_sequential ?? false;
    const isWhole = selection.isAfterEarlier || selection.tasks === given.tasks;
    const [assessment = given, ...others] = variantsOf(given);
    const selected = (of: TriedAssessment): TriedTask[] =>
      of.tasks.filter(({ id }) => selection.tasks.some((task) => task.id === id));
    const answered = { tasks: selected(assessment).filter(isNoCheck).map(tryAnswers), answers: [] };
    for (const other of others) recordOtherValues(answered, selected(other).filter(isNoCheck).map(tryAnswers));
    const tasks = selected(assessment).filter((task) => !isNoCheck(task));
    if (tasks.length === 0) return reportOf(answered.tasks, new Map());
    const test = (of: TriedAssessment, tried: TriedTask[], isAfterEarlier = selection.isAfterEarlier) =>
      this.#inContainer(of, (ref) => {
        const all = isAfterEarlier ? of.tasks.filter((task) => !isNoCheck(task)) : undefined;
        const parts = { ref, shell, grader, solutionSeconds, signal, isSequential, all, account: of.user };
        return runTrial(parts, tried);
      });
    const tested = await test(assessment, tasks);
    for (const other of others) {
      signal.throwIfAborted();
      const isSound = ({ id }: TriedTask) => tested.tasks.some(({ task_id, problem }) => task_id === id && !problem);
      const varied = selected(other).filter((task) => task.values && !isNoCheck(task) && isSound(task));
      if (varied.length > 0) recordOtherValues(tested, (await test(other, varied, isWhole)).tasks);
    }
    // An opponent would pass every check that passes before anything is done.
    const targets = tasks.flatMap(({ values, ...task }, index) =>
      tested.tasks[index]?.first.passed
        ? []
        : [{ ...task, ...(values && { values }), answers: tested.answers[index] ?? [] }],
    );
    signal.throwIfAborted();
    const grantsRoot = targets.length > 0 && (await engine.grantsRoot(assessment.container_image));
    const opponents = this.#parts.opponents.filter((opponent) => grantsRoot || opponent !== 'traces');
    const runs =
      targets.length === 0
        ? []
        : await this.#inContainer(
            assessment,
            async (ref) => await runAttacks({ ref, shell, grader, opponents, signal }, targets),
          );
    const trials = new Map([...answered.tasks, ...tested.tasks].map((trial) => [trial.task_id, trial]));
    const inOrder = selection.tasks.flatMap(({ id }) => trials.get(id) ?? []);
    return reportOf(inOrder, new Map(targets.map(({ id }, index) => [id, runs[index] ?? []])));
  }

  /** Runs on a container that is created for it and removed afterwards. */
  async #inContainer<Result>(assessment: TriedAssessment, act: (ref: string) => Promise<Result>): Promise<Result> {
    const { reservations, provisioner, removals, config } = this.#parts;
    // The record has an expiry, so that the reconciler removes the container if this process dies.
    const reserved = await reservations.reserveTrial(
      `trial-${randomUUID()}`,
      { image: assessment.container_image, account: assessment.user },
      config.minutes + 1,
    );
    const container = await provisioner.make(reserved, { setup: setupOf(assessment) });
    try {
      return await act(container.engine_ref ?? '');
    } finally {
      await removals.remove(container);
    }
  }

  async #assessment(kind: Kind, id: number): Promise<TrialAssessment> {
    const assessment = await this.#parts.store.assessment(kind, { id });
    if (!assessment) throw new NotFoundError('not_found', `${kind === 'exam' ? 'Exam' : 'Laboratory'} not found`);
    return assessment;
  }
}

/** @throws InvalidError */
function asSaved(task: Parameters<typeof completed>[0] & Omit<TriedTask, KindField>): TriedTask {
  checkTask(task);
  return completed(task);
}

const isNoCheck = ({ kind }: Pick<Task, 'kind'>): boolean => kind !== 'check';

/** Attempts whose values a trial takes. */
const triedSeeds = 10;

/** The assessment with the values of each of these attempts, always of the same: a trial that is repeated has the same result. */
function variantsOf(assessment: TriedAssessment): TriedAssessment[] {
  const { tasks } = assessment;
  if (!isVaried(tasks)) return [assessment];
  const variants = Array.from({ length: triedSeeds }, (_, turn) => draw(`trial.${turn}`, tasks));
  const different = new Map(variants.map((variant) => [JSON.stringify(variant.values), variant]));
  return [...different.values()].map((variant) => ({ ...assessment, tasks: variedTasks(tasks, variant) }));
}

/** The set-up of a new container, as it is stored or as its author tries it. */
const setupOf = ({ files, setup_script, tasks }: TriedAssessment): Setup => ({
  files,
  scripts: setupScripts(setup_script, tasks),
});

const hasChanges = ({ fields = {}, tasks = [], new_tasks = [] }: Changes): boolean =>
  Object.keys(fields).length + tasks.length + new_tasks.length > 0;

/**
 * The assessment as it would be with the changes. The first new task has the id -1, the next one -2.
 * @throws NotFoundError for a task of another assessment
 */
function changed(assessment: TrialAssessment, changes: Changes): TrialAssessment {
  // As they would be stored.
  const [tasks, new_tasks] = [changes.tasks?.map(lineFeedsIn) ?? [], changes.new_tasks?.map(lineFeedsIn) ?? []];
  for (const { id } of tasks) {
    found(
      assessment.tasks.find((task) => task.id === id),
      'Task',
    );
  }
  const { container_image, user, setup_script, is_sequential } = {
    ...assessment,
    ...lineFeedsIn(changes.fields ?? {}),
  };
  return {
    ...assessment,
    ...{ container_image, user, setup_script, is_sequential },
    tasks: [
      ...assessment.tasks.map((task) => ({ ...task, ...tasks.findLast(({ id }) => id === task.id) })),
      ...new_tasks.map((task, index) => ({
        ...pick(taskDefaults, ['kind', 'has_partial_credit', 'parameters', ...taskPrograms]),
        ...task,
        id: -1 - index,
      })),
    ].map(asSaved),
  };
}
