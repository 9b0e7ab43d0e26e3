import { RowCache } from '../../database/processes/cache.ts';
import type { ChangeFeed } from '../../database/processes/change-feed.ts';
import { Conflict, NotFound } from '../../errors.ts';
import type { Caller } from '../../http/access.ts';
import type { AttemptMachine, GradedAttempt, StartedAttempt } from '../attempts/machine.ts';
import type { AttemptStore } from '../attempts/store.ts';
import type { Exam, ExamStore, ExamTaskRow, NewExam, NewTask } from './store.ts';

export type ExamParts = {
  store: ExamStore;
  attempts: Pick<AttemptStore, 'activeFor'>;
  machine: AttemptMachine;
  feed: ChangeFeed;
};

const noSuchExam = () => new NotFound('not_found', 'Exam not found');

/** Exams, for those who take them and those who make them. */
export class ExamService {
  readonly #parts: ExamParts;
  readonly #cache: RowCache<'all', Exam[]>;

  constructor(parts: ExamParts) {
    this.#parts = parts;
    this.#cache = new RowCache<'all', Exam[]>({
      feed: parts.feed,
      channel: 'catalogue_changed',
      max: 1,
      keyOf: () => undefined,
    });
  }

  async list(): Promise<Exam[]> {
    return (await this.#all()).filter((exam) => exam.is_active);
  }

  /** A retired exam is there for administrators, and for who is in the middle of it. @throws NotFound */
  async get(caller: Caller | undefined, id: number): Promise<Exam> {
    const exam = (await this.#all()).find((candidate) => candidate.id === id);
    if (!exam) throw noSuchExam();
    if (exam.is_active || caller?.role === 'admin') return exam;
    if (!caller || !(await this.#parts.attempts.activeFor(caller.id, 'exam', id))) throw noSuchExam();
    return exam;
  }

  /** @throws NotFound, Conflict without tasks or while another attempt is active, Unavailable without a container */
  async start(caller: Caller, id: number): Promise<StartedAttempt> {
    const exam = await this.get(caller, id);
    if (exam.task_count === 0) throw new Conflict('no_tasks', 'This exam has no tasks yet');
    return await this.#parts.machine.start(caller, { ...exam, kind: 'exam' });
  }

  /** @throws NotFound without an active attempt; see AttemptMachine.submit */
  async submit(caller: Caller, id: number): Promise<GradedAttempt> {
    return await this.#parts.machine.submit(caller, 'exam', id);
  }

  /** @throws NotFound without such a course */
  async create(caller: Caller, exam: NewExam): Promise<Exam> {
    if (exam.course_id != null && !(await this.#parts.store.courseExists(exam.course_id)))
      throw new NotFound('not_found', 'Course not found');
    const created = await this.#parts.store.create(caller.id, exam);
    this.#cache.forget();
    return created;
  }

  /** @throws NotFound without such an exam */
  async addTask(caller: Caller, examId: number, task: NewTask): Promise<ExamTaskRow> {
    const created = await this.#parts.store.addTask(caller.id, examId, task);
    if (!created) throw noSuchExam();
    this.#cache.forget();
    return created;
  }

  /** Exams are read again: somebody else has changed them. */
  forget(): void {
    this.#cache.forget();
  }

  async #all(): Promise<Exam[]> {
    return await this.#cache.get('all', () => this.#parts.store.all());
  }
}
