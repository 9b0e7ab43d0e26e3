import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { RowCache } from '../../database/processes/cache.ts';
import type { ChangeFeed } from '../../database/processes/change-feed.ts';
import type { AttemptKind } from '../../database/tables.ts';
import { needMachine } from '../../entities/task-kinds/kinds.ts';
import { ConflictError, ForbiddenError, found, NotFoundError } from '../../errors.ts';
import type { Caller } from '../../http/access/access.ts';
import { teacherOf } from '../../values/student-view.ts';
import { isVaried } from '../../values/variant.ts';
import type { GradedAttempt } from '../attempts/gradings/gradings.ts';
import type { AttemptMachine } from '../attempts/machine.ts';
import type { Revision, RevisionStore } from '../attempts/revision-store.ts';
import type { SolutionStore } from '../attempts/solution-store.ts';
import type { Entry, QueuedAttempt, StartQueue } from '../attempts/starts/queue.ts';
import type { StartedAttempt } from '../attempts/starts/starts.ts';
import { openTasks } from '../attempts/steps.ts';
import type { AttemptRow, AttemptStore } from '../attempts/store.ts';
import type { Audience, Solutions, Visibility } from '../attempts/visibility.ts';
import { type Creations, creatorOf } from '../capacity/creations.ts';
import { checkOpen, type Openings } from '../lessons/openings.ts';
import { kinds } from './kinds.ts';
import type { RevisionListStore } from './revision-list-store.ts';
import type { AssessmentStore, AssessmentWithTasks, CatalogueAssessment } from './store.ts';

export type AssessmentParts = {
  kind: AttemptKind;
  store: Pick<AssessmentStore, 'all' | 'locked'>;
  attempts: Pick<AttemptStore, 'activeFor' | 'conclusion' | 'endedBy' | 'isStarting' | 'results'>;
  states: Pick<RevisionStore, 'pinned'>;
  revisions: RevisionListStore;
  machine: AttemptMachine;
  queue: Pick<StartQueue, 'start'>;
  feed: ChangeFeed;
  courseAccess: {
    /** The courses of the user's classes, in ascending order. */
    coursesOf: (userId: number) => Promise<readonly number[]>;
    /** The exams of the sessions for which the user was chosen, in ascending order. */
    examsOf: (userId: number) => Promise<readonly number[]>;
    taughtAssessments: (userId: number, kind: AttemptKind) => Promise<ReadonlySet<number>>;
  };
  openings: Pick<Openings, 'closedFor' | 'forget'>;
  visibility: Pick<Visibility, 'audienceOf'>;
  solutions: Pick<SolutionStore, 'shownTo'>;
  accessCodes: {
    /** Counts wrong codes. @throws TooManyRequestsError after repeated ones, and any error of the work */
    tryAccessCode: <T>(userId: number, work: () => Promise<T>, isWrong: (error: unknown) => boolean) => Promise<T>;
  };
  creations: Pick<Creations, 'enter'>;
  /** Milliseconds to wait for another process to finish a start. */
  startPatience: number;
};

/** Undefined: anybody, where the catalogue is anonymous. */
type Viewer = Pick<Caller, 'id' | 'role' | 'view'> | undefined;
type Lists = {
  active: CatalogueAssessment[];
  hasSessions: boolean;
  /** The courses for classes only. */
  classCourses: ReadonlySet<number>;
  /** The lists of students, by what they see of the courses for classes only. */
  ofMembers: LRUCache<string, CatalogueAssessment[]>;
};

/** Lists for the members of different classes that are kept. */
const maxLists = 50;

const nothingLocked: ReadonlySet<number> = new Set();

const isLimited = (caller: Viewer): boolean => caller === undefined || caller.role === 'student';

function newLists(all: readonly CatalogueAssessment[]): Lists {
  const active = all.filter(({ is_active }) => is_active);
  const classCourses = new Set(active.flatMap(({ class_course_id }) => class_course_id ?? []));
  const hasSessions = all.some(({ has_sessions }) => has_sessions);
  return { active, hasSessions, classCourses, ofMembers: new LRUCache({ max: maxLists }) };
}

/** An attempt that a start created or found, or one that waits for its container. */
export type Start = (StartedAttempt & { isNew: boolean }) | QueuedAttempt;
/** Results, and what their answer leaves out. */
export type ShownResults = GradedAttempt & {
  containerId: number | null;
  audience: Audience;
  conclusion: string | null;
  /** The name of who ended it before its time. */
  endedBy?: string | null;
  /** Those that the caller sees. */
  solutions?: Solutions;
};
export type StartOptions = {
  /** Whether it may wait for a container in the queue. */
  mayQueue: boolean;
  entry: Entry;
};

const isWrongAccessCode = (error: unknown): boolean =>
  error instanceof ForbiddenError && error.code === 'wrong_access_code';

/** Milliseconds between two polls for a start of another process. */
const startPause = 50;

/** The assessments of one kind, exams or laboratories, for students. */
export class AssessmentService {
  readonly kind: AttemptKind;
  readonly revisions: RevisionListStore;
  readonly #parts: AssessmentParts;
  readonly #cache: RowCache<'all', CatalogueAssessment[]>;
  /** The lists of those that are cached. */
  readonly #active = new WeakMap<CatalogueAssessment[], Lists>();
  /** Starts in progress, by user and assessment. */
  readonly #starting = new Map<string, Promise<Start>>();

  constructor(parts: AssessmentParts) {
    this.kind = parts.kind;
    this.revisions = parts.revisions;
    this.#parts = parts;
    this.#cache = new RowCache<'all', CatalogueAssessment[]>({
      feed: parts.feed,
      channel: 'catalogue_changed',
      max: 1,
      keyOf: () => undefined,
    });
  }

  /**
   * The assessments that the caller sees in lists, without retired ones. The same array until one of them changes. A test student sees
   * drafts of the courses that its teacher teaches as well.
   */
  async list(caller: Viewer): Promise<readonly CatalogueAssessment[]> {
    const all = await this.#all();
    const { active, classCourses, ofMembers } = this.#listsOf(all);
    const teacher = caller && teacherOf(caller);
    if (teacher) {
      const taught = await this.#parts.courseAccess.taughtAssessments(teacher.id, this.kind);
      return all.filter(({ id, is_active }) => is_active || teacher.role === 'admin' || taught.has(id));
    }
    if (classCourses.size === 0 || !isLimited(caller)) return active;
    const own = (await this.#coursesOf(caller)).filter((id) => classCourses.has(id));
    const chosen = await this.#chosenFor(caller);
    const key = `${own.join(' ')} for ${chosen.join(' ')}`;
    const isShown = ({ id, class_course_id }: CatalogueAssessment): boolean =>
      class_course_id === null || own.includes(class_course_id) || chosen.includes(id);
    const shown = ofMembers.get(key) ?? active.filter(isShown);
    ofMembers.set(key, shown);
    return shown;
  }

  /**
   * A retired assessment, or one of a course for other classes, is visible only to administrators and to users with an active attempt. During
   * an attempt its user sees the assessment as it was at the start.
   * @throws NotFoundError
   */
  async get(caller: Viewer, id: number): Promise<AssessmentWithTasks> {
    const assessment = (await this.#all()).find((candidate) => candidate.id === id);
    const isVisible = assessment && (caller?.role === 'admin' || (await this.#isShown(caller, assessment)));
    const mayDiffer = assessment !== undefined && mayDifferFrom(assessment);
    const active =
      assessment && caller && (mayDiffer || !isVisible)
        ? await this.#parts.attempts.activeFor(caller.id, this.kind, id)
        : undefined;
    const shown = found(isVisible || active ? assessment : undefined, this.#name);
    // A queued attempt starts with what the assessment is then.
    if (!mayDiffer || !active || active.status === 'queued') return shown;
    const state = await this.#parts.states.pinned(active);
    return state ? asAtStart(shown, state, active.variant !== null) : shown;
  }

  /** The laboratory of a section. @throws NotFoundError where the section has none, or the caller does not see it */
  async ofSection(caller: Viewer, sectionId: number): Promise<AssessmentWithTasks> {
    const listed = found(
      (await this.list(caller)).find(({ section_id }) => section_id === sectionId),
      this.#name,
    );
    return mayDifferFrom(listed) ? await this.get(caller, listed.id) : listed;
  }

  /**
   * Starts an attempt. For practice it may return the active attempt, even to calls during its start.
   * @throws NotFoundError, ConflictError while another attempt is active or another process starts one, UnavailableError without a
   * container or a place in the queue, ForbiddenError while it is closed, Forbidden and TooManyRequests for an exam with sessions
   */
  async start(caller: Caller, id: number, options: StartOptions): Promise<Start> {
    if (!kinds[this.kind].isPractice) return await this.#startNew(caller, await this.get(caller, id), options);
    const key = `${caller.id} ${id} ${options.mayQueue}`;
    const underWay = this.#starting.get(key);
    if (underWay) return { ...(await underWay), isNew: false };
    const start = this.#startOrResume(caller, id, options).finally(() => this.#starting.delete(key));
    this.#starting.set(key, start);
    return await start;
  }

  /** The assessments that are closed for the caller. */
  async closed(caller: Viewer): Promise<ReadonlySet<number>> {
    const closed = [...(await this.#parts.openings.closedFor(caller)).values()];
    return new Set(closed.filter(({ kind }) => kind === this.kind).map(({ id }) => id));
  }

  /** The assessments whose tasks a caller sees without their texts: closed ones, and exams until the caller has begun an attempt. */
  async locked(caller: Viewer): Promise<ReadonlySet<number>> {
    const [closed, bound] = [await this.closed(caller), await this.#bound(caller)];
    return closed.size === 0 ? bound : new Set([...closed, ...bound].sort((one, other) => one - other));
  }

  /** Whether the caller sees one without the texts of its tasks. During an attempt its user sees them. */
  async isLocked(caller: Viewer, id: number): Promise<boolean> {
    if ((await this.closed(caller)).has(id)) return !caller || !(await this.#runs(caller, id));
    const mayBe = (await this.#all()).some((candidate) => candidate.id === id && candidate.has_sessions);
    return mayBe && (await this.#bound(caller)).has(id);
  }

  /** The exams that start for the caller in sessions only, and that the caller has not begun. */
  async #bound(caller: Viewer): Promise<ReadonlySet<number>> {
    if (this.kind !== 'exam' || !isLimited(caller)) return nothingLocked;
    if (!this.#listsOf(await this.#all()).hasSessions) return nothingLocked;
    return await this.#parts.store.locked(caller?.id);
  }

  async #runs(caller: { id: number }, id: number): Promise<boolean> {
    const active = await this.#parts.attempts.activeFor(caller.id, this.kind, id);
    return active !== undefined && active.status !== 'queued';
  }

  /** The number of tasks that are open to a caller: none of a closed laboratory, else all, unless they open one after another. Then it depends on the active attempt. */
  async openTasks(caller: Viewer, { id, is_sequential, tasks }: AssessmentWithTasks): Promise<number> {
    if (kinds[this.kind].isPractice && (await this.isLocked(caller, id))) return 0;
    if (!is_sequential || !isLimited(caller)) return tasks.length;
    const { attempts } = this.#parts;
    const active = caller && (await attempts.activeFor(caller.id, this.kind, id));
    const results = active ? await attempts.results(active.id) : [];
    return openTasks(tasks, results);
  }

  /** What orders the choices of tasks for a student: the attempt that is in progress. */
  async seed(caller: Viewer, { id, tasks }: AssessmentWithTasks): Promise<string | undefined> {
    if (!caller || !isLimited(caller) || !tasks.some(({ kind }) => kind === 'choice')) return undefined;
    const active = await this.#parts.attempts.activeFor(caller.id, this.kind, id);
    return active && `${active.id}`;
  }

  /** The solutions that a student sees. Staff have them in the tasks. */
  async solutions(caller: Viewer, { id, tasks }: AssessmentWithTasks): Promise<Solutions> {
    // Exams are read all the time, and most have none.
    const mayBeShown = tasks.some(({ solution, solution_visible }) => solution && solution_visible !== 'never');
    if (!caller || !isLimited(caller) || !mayBeShown) return new Map();
    return await this.#parts.solutions.shownTo(caller, this.kind, id);
  }

  /**
   * @param taskId of the only task to check
   * @throws NotFoundError without an active attempt or the task, ConflictError for a task that is not open yet; see AttemptMachine.check
   */
  async check(caller: Caller, id: number, taskId?: number): Promise<ShownResults> {
    const { machine } = this.#parts;
    if (taskId !== undefined) await this.#checkIsOpen(caller, id, taskId);
    const checked = await machine.check(caller, this.kind, id, taskId);
    const containerId = (await machine.container(checked.attempt.id))?.id ?? null;
    return { ...checked, containerId, audience: await this.#audience(caller, checked.attempt), conclusion: null };
  }

  /** @throws NotFoundError without an active attempt; see AttemptMachine.submit */
  async submit(caller: Caller, id: number): Promise<ShownResults> {
    const graded = await this.#parts.machine.submit(caller, this.kind, id);
    const audience = await this.#audience(caller, graded.attempt);
    return {
      ...graded,
      containerId: null,
      audience,
      conclusion: await this.#parts.attempts.conclusion(graded.attempt),
      endedBy: await this.#parts.attempts.endedBy(graded.attempt),
      solutions: await this.#parts.solutions.shownTo(caller, this.kind, id, graded.attempt),
    };
  }

  /** Drops the cached assessments after another component has changed them. */
  forget(): void {
    this.#cache.forget();
    this.#parts.openings.forget();
  }

  async #checkIsOpen(caller: Caller, id: number, taskId: number): Promise<void> {
    const assessment = await this.get(caller, id);
    const index = assessment.tasks.findIndex((task) => task.id === taskId);
    if (index < 0) throw new NotFoundError('not_found', 'Task not found');
    // Instructors work on a laboratory like students.
    if (index >= (await this.openTasks({ id: caller.id, role: 'student' }, assessment)))
      throw new ConflictError('task_locked', 'The task opens when the one before it has passed');
  }

  /** Whether a caller sees an assessment. That of a course for its classes only is seen by these, and by who was chosen for it. */
  async #isShown(caller: Viewer, assessment: CatalogueAssessment): Promise<boolean> {
    if (caller && teacherOf(caller)) return (await this.list(caller)).includes(assessment);
    const { id, is_active, class_course_id } = assessment;
    if (!is_active) return false;
    if (class_course_id === null || !isLimited(caller)) return true;
    return (await this.#coursesOf(caller)).includes(class_course_id) || (await this.#chosenFor(caller)).includes(id);
  }

  /** The exams that a caller sees because of a session, whatever their courses. */
  async #chosenFor(caller: Viewer): Promise<readonly number[]> {
    return caller && this.kind === 'exam' ? await this.#parts.courseAccess.examsOf(caller.id) : [];
  }

  async #coursesOf(caller: Viewer): Promise<readonly number[]> {
    return caller ? await this.#parts.courseAccess.coursesOf(caller.id) : [];
  }

  #listsOf(all: CatalogueAssessment[]): Lists {
    const known = this.#active.get(all);
    const lists = known ?? newLists(all);
    if (!known) this.#active.set(all, lists);
    return lists;
  }

  async #all(): Promise<CatalogueAssessment[]> {
    return await this.#cache.get('all', () => this.#parts.store.all());
  }

  async #audience(caller: Caller, attempt: AttemptRow): Promise<Audience> {
    return (await this.#parts.visibility.audienceOf(caller, [attempt]))(attempt);
  }

  async #startNew(caller: Caller, assessment: AssessmentWithTasks, options: StartOptions): Promise<Start> {
    const { queue, accessCodes, creations, openings } = this.#parts;
    checkOpen((await openings.closedFor(caller)).get(`${this.kind}:${assessment.id}`));
    const started = { ...assessment, kind: this.kind };
    const { accessCode } = options.entry;
    const start = async (): Promise<Start> => ({
      ...(await queue.start(caller, started, options)),
      isNew: true,
    });
    // The turn comes first, so that starts that wait for it do not count as tries of a code.
    const leave = await creations.enter(creatorOf(caller));
    try {
      if (accessCode === undefined) return await start();
      return await accessCodes.tryAccessCode(caller.id, start, isWrongAccessCode);
    } finally {
      leave();
    }
  }

  async #startOrResume(caller: Caller, id: number, options: StartOptions): Promise<Start> {
    const assessment = await this.get(caller, id);
    const active = await this.#activeAttempt(caller, id);
    if (active) return active;
    try {
      return await this.#startNew(caller, assessment, options);
    } catch (error) {
      const quicker = error instanceof ConflictError ? await this.#startedElsewhere(caller, id) : undefined;
      if (!quicker) throw error;
      return quicker;
    }
  }

  /** Another process may have been faster, and still be starting it. Where that start fails, there is no attempt in the end. */
  async #startedElsewhere(caller: Caller, id: number): Promise<Start | undefined> {
    const deadline = performance.now() + this.#parts.startPatience;
    for (;;) {
      const active = await this.#activeAttempt(caller, id);
      if (active || performance.now() > deadline || !(await this.#parts.attempts.isStarting(caller.id, id)))
        return active ?? (await this.#activeAttempt(caller, id));
      await delay(startPause);
    }
  }

  async #activeAttempt(caller: Caller, id: number): Promise<Start | undefined> {
    const { attempts, machine } = this.#parts;
    const attempt = await attempts.activeFor(caller.id, this.kind, id);
    const container = attempt && attempt.status !== 'queued' ? await machine.container(attempt.id) : undefined;
    return attempt && (container || !attempt.needs_machine) ? { attempt, container, isNew: false } : undefined;
  }

  get #name(): string {
    return kinds[this.kind].name;
  }
}

/** Whether an attempt may be shown something else: an earlier state, or what it has drawn. */
const mayDifferFrom = ({ has_earlier_states, tasks, draw }: CatalogueAssessment): boolean =>
  has_earlier_states || isVaried(tasks, draw);

/** The results for an assessment, which comes from a cache, by the ids of the states. */
const atStarts = new WeakMap<AssessmentWithTasks, Map<number, AssessmentWithTasks>>();

/** An assessment as it was when an attempt started. What concerns the catalogue only, such as its course, is as it is now. */
function asAtStart(assessment: AssessmentWithTasks, state: Revision, isDrawn: boolean): AssessmentWithTasks {
  // It is of one attempt, and nothing is left to draw.
  if (isDrawn) return { ...withRevision(assessment, state), draw: null };
  const ofStates = atStarts.get(assessment) ?? new Map<number, AssessmentWithTasks>();
  atStarts.set(assessment, ofStates);
  const shown = ofStates.get(state.id) ?? withRevision(assessment, state);
  ofStates.set(state.id, shown);
  return shown;
}

function withRevision(assessment: AssessmentWithTasks, state: Revision): AssessmentWithTasks {
  const { revision, container_image, time_limit_minutes, passing_score, max_score, is_sequential } = state;
  const { title, description, introduction, conclusion, setup_script, tasks } = state.content;
  return {
    ...assessment,
    ...{ title, description, introduction, conclusion, setup_script },
    ...{ revision, container_image, time_limit_minutes, passing_score, max_score, is_sequential },
    tasks: tasks.map((task) => ({ hint: '', ...task, slug: null })),
    task_count: tasks.length,
    needs_machine: needMachine(tasks),
  };
}
