import { kindOf, ownFields, takesAnswer } from '../../../entities/task-kinds/kinds.ts';
import { ConflictError, found, InvalidError, NotFoundError } from '../../../errors.ts';
import type { Caller } from '../../../http/access/access.ts';
import { isGraded } from '../../../values/attempt-status.ts';
import { refusedField } from '../../../values/coded-problem.ts';
import type { Revision, RevisionStore } from '../revision-store.ts';
import type { SolutionStore } from '../solution-store.ts';
import type { Assessment } from '../starts/store.ts';
import { openTasks } from '../steps.ts';
import type { AttemptRow, AttemptStore } from '../store.ts';
import type { Visibility } from '../visibility.ts';
import { type AnswerBody, toAnswer } from './schema.ts';
import type { AnswerFile, AnswerRow, AnswerStore, SavedAnswer } from './store.ts';

type Task = Revision['content']['tasks'][number];

export type AnswerServiceParts = {
  kind: Assessment['kind'];
  store: Pick<AttemptStore, 'byId' | 'seenBy' | 'results'>;
  answers: AnswerStore;
  states: Pick<RevisionStore, 'of' | 'pinned'>;
  visibility: Pick<Visibility, 'audienceOf'>;
  solutions: Pick<SolutionStore, 'shownTo'>;
};

/** The answers of students in attempts of one kind. They are those to the tasks of the attempt's own revision. */
export class AnswerService {
  readonly kind: Assessment['kind'];
  readonly #parts: AnswerServiceParts;

  constructor(parts: AnswerServiceParts) {
    this.kind = parts.kind;
    this.#parts = parts;
  }

  /** Of the tasks that take answers and are open, in their order. @throws NotFoundError unless it is the caller's, or seen as staff */
  async list(caller: Caller, attemptId: number) {
    const { store, answers, visibility, solutions } = this.#parts;
    const attempt = this.#found(await store.seenBy(caller, attemptId));
    const rows = new Map((await answers.of(attemptId)).map((row) => [row.task_id, row]));
    const audience = (await visibility.audienceOf(caller, [attempt]))(attempt);
    const mayBeShown = !audience.isStaff && audience.withheld === null && isGraded(attempt);
    const shown =
      mayBeShown && attempt.assessment_id !== null
        ? await solutions.shownTo(caller, this.kind, attempt.assessment_id)
        : new Map<number, string>();
    return (await this.#openTasks(attempt, audience.isStaff))
      .filter(takesAnswer)
      .map((task) => toAnswer(attemptId, task, rows.get(task.id), audience.isStaff || shown.has(task.id)));
  }

  /**
   * @throws NotFoundError for another's attempt and an unknown task; InvalidError for an answer of another kind and unknown choices;
   * ConflictError for a task that is not open, and while the attempt is not in progress
   */
  async save(caller: Caller, attemptId: number, taskId: number, given: AnswerBody) {
    const { attempt, task } = await this.#task(caller, attemptId, taskId);
    return await this.#save(caller, attempt, task, valid(task, given));
  }

  /**
   * @param read is called for a task that takes a file
   * @throws see save; what the reading throws
   */
  async saveFile(caller: Caller, attemptId: number, taskId: number, read: () => Promise<AnswerFile>) {
    const { attempt, task } = await this.#task(caller, attemptId, taskId);
    if (kindOf(task).takes !== 'file' || task.path != null) throw notTaken(task);
    return await this.#save(caller, attempt, task, await read());
  }

  /** The file of an answer. @throws NotFoundError unless the attempt is the caller's, or seen as staff, and without a file */
  async file(caller: Caller, attemptId: number, taskId: number) {
    this.#found(await this.#parts.store.seenBy(caller, attemptId));
    return await this.fileOf(attemptId, taskId);
  }

  /** The same for a caller who may see it. @throws NotFoundError without a file */
  async fileOf(attemptId: number, taskId: number) {
    const { answers } = this.#parts;
    const row = (await answers.of(attemptId)).find(({ task_id }) => task_id === taskId);
    if (row?.file_name == null) throw new NotFoundError('not_found', 'File not found');
    return { name: row.file_name, bytes: row.file_bytes ?? 0, content: answers.file(row) };
  }

  /** A task as an attempt has it, with its answer and the right one, for a caller who grades it. Without answers: null. */
  async graded(attemptId: number, taskId: number) {
    const { store, states, answers } = this.#parts;
    const state = await states.of(this.#found(await store.byId(attemptId)));
    const task = state?.content.tasks.find(({ id }) => id === taskId);
    if (!task) return { description: '', answer: null };
    const row = (await answers.of(attemptId)).find(({ task_id }) => task_id === taskId);
    return { description: task.description, answer: takesAnswer(task) ? toAnswer(attemptId, task, row, true) : null };
  }

  async #save(caller: Caller, attempt: AttemptRow, task: Task, answer: SavedAnswer | AnswerFile) {
    const { answers } = this.#parts;
    const saved = await answers.save(caller.id, { attempt_id: attempt.id, task_id: task.id }, answer);
    if (saved) return toAnswer(attempt.id, task, saved, false);
    if (attempt.kind === 'laboratory' && (await answers.isHeld(attempt.id)))
      throw new ConflictError('exam_locked_down', 'During this exam you cannot work in laboratories');
    throw notInProgress();
  }

  /** A task of the caller's own attempt. @throws NotFoundError, ConflictError */
  async #task(caller: Caller, attemptId: number, taskId: number): Promise<{ attempt: AttemptRow; task: Task }> {
    const own = await this.#parts.store.byId(attemptId);
    const attempt = this.#found(own?.user_id === caller.id ? own : undefined);
    if (attempt.status !== 'in_progress' && attempt.status !== 'grading') throw notInProgress();
    const state = await this.#parts.states.pinned(attempt);
    const task = found(
      state?.content.tasks.find(({ id }) => id === taskId),
      'Task',
    );
    // Instructors work on a laboratory like students.
    if (!(await this.#openTasks(attempt, false)).some(({ id }) => id === taskId))
      throw new ConflictError('task_locked', 'The task opens when the one before it has passed');
    return { attempt, task };
  }

  async #openTasks(attempt: AttemptRow, isStaff: boolean): Promise<readonly Task[]> {
    const { states, store } = this.#parts;
    if (attempt.status === 'queued') return [];
    const state = isGraded(attempt) ? await states.of(attempt) : await states.pinned(attempt);
    const tasks = state?.content.tasks ?? [];
    if (!state?.is_sequential || isStaff || isGraded(attempt)) return tasks;
    return tasks.slice(0, openTasks(tasks, await store.results(attempt.id)));
  }

  /** @throws NotFoundError */
  #found(attempt: AttemptRow | undefined): AttemptRow {
    if (attempt?.kind !== this.kind) throw new NotFoundError('not_found', 'Attempt not found');
    return attempt;
  }
}

const notInProgress = () =>
  new ConflictError('attempt_not_in_progress', 'The attempt is not in progress, or its clock stands still');

const notTaken = ({ kind }: Task) => new InvalidError([refusedField(['body'], 'answer_not_taken', { kind })]);

/** @throws InvalidError */
function valid(task: Task, { choice_ids, text }: AnswerBody): Pick<AnswerRow, 'choice_ids'> | Pick<AnswerRow, 'text'> {
  const { takes } = kindOf(task);
  if (takes === 'text' && text !== undefined) return { text };
  if (takes !== 'choices' || choice_ids === undefined) throw notTaken(task);
  const { choices, is_multiple } = ownFields(task) as Pick<Required<Task>, 'choices' | 'is_multiple'>;
  const isKnown = choice_ids.every((id) => choices.some((choice) => choice.id === id));
  if (!isKnown || (!is_multiple && choice_ids.length > 1))
    throw new InvalidError([refusedField(['body', 'choice_ids'], 'choices_not_possible')]);
  return { choice_ids };
}
