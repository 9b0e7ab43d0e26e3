import type { AttemptKind } from '../../database/tables.ts';
import type { Caller } from '../../http/access/access.ts';
import type { AnswerService } from '../attempts/answers/service.ts';
import type { GradingStore } from './grading-store.ts';
import type { NewGrade } from './judgement-store.ts';

/** Names of files without names can say whose they are. */
const nameless = (file: string): string => `file${/\.\w{1,10}$/.exec(file)?.[0] ?? ''}`;

/** Results with what was answered, as those who grade them see it. */
export class GradingService {
  readonly #results: GradingStore;
  readonly #answers: ReadonlyMap<AttemptKind, Pick<AnswerService, 'graded' | 'fileOf'>>;

  constructor(results: GradingStore, answers: readonly AnswerService[]) {
    this.#results = results;
    this.#answers = new Map(answers.map((one) => [one.kind, one]));
  }

  /** @throws NotFoundError */
  async open(caller: Caller, key: string) {
    const { attemptId, ...opened } = await this.#results.open(caller, key);
    const graded = await this.#answersOf(opened.kind).graded(attemptId, opened.task_id);
    const { answer } = graded;
    if (opened.student === null && answer?.file) answer.file.name = nameless(answer.file.name);
    return { ...opened, ...graded };
  }

  /** @throws see `gradeResult` */
  async grade(caller: Caller, key: string, grade: NewGrade) {
    await this.#results.grade(caller, key, grade);
    return await this.open(caller, key);
  }

  /** The file of an answer. @throws NotFoundError, also without a file */
  async file(caller: Caller, key: string) {
    const { attemptId, kind, task_id, student } = await this.#results.open(caller, key);
    const file = await this.#answersOf(kind).fileOf(attemptId, task_id);
    return student === null ? { ...file, name: nameless(file.name) } : file;
  }

  #answersOf(kind: AttemptKind) {
    const answers = this.#answers.get(kind);
    if (!answers) throw new Error(`There are no answers of the kind ${kind}`);
    return answers;
  }
}
