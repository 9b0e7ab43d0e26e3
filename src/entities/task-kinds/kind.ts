import type { TProperties } from 'typebox';
import type { CodedProblem } from '../../values/coded-problem.ts';
import type { Verdict } from '../../values/grading-remark.ts';

/** What a student has saved for a task: the parts that its kind takes. */
export type Answer = { choice_ids?: number[] | null; text?: string | null };

/** What a rule says about a field that no schema can express. Undefined: it is missing. */
export type FieldProblem = { field: string; problem: CodedProblem | undefined };

/** An answer that a trial grades, and what it must give. */
export type TrialAnswer = { answer: Answer; isRight: boolean };

/**
 * One kind of tasks. A new one is a module of this folder and a line in `kinds.ts`; the row, answers, inputs, content files, revisions,
 * gradings and trials take it from there.
 */
export type TaskKind<
  Fields = never,
  Shown extends TProperties = TProperties,
  Input extends TProperties = TProperties,
> = {
  /** Its fields beside those of every task, as answers have them. They are in the column `kind_fields`. */
  fields: Shown;
  /** The same as administrators send them and content files have them. All may be absent. */
  inputs: Input;
  /** What an absent field is. A field without a default is left out. */
  defaults: Partial<Fields>;
  /** For staff only. */
  staffFields: readonly (keyof Fields & string)[];
  /** What a student sends. `machine`: nothing, it is what the student leaves on the machine. */
  takes: 'machine' | 'choices' | 'text' | 'file';
  /** Whether a person gives its points. */
  isGradedByPeople: boolean;
  needsMachine: (fields: Fields) => boolean;
  /** Fills in what an author left open. */
  complete: (fields: Fields) => Fields;
  problems: (fields: Fields) => FieldProblem[];
  /** Its fields with the values of the parameters of the task. Absent: they have no texts. */
  filled?: (fields: Fields, fill: Record<'exactly' | 'markdown', (text: string) => string>) => Fields;
  /** What a student sees of the fields that staff see. @param seed orders what has no order: the same one gives the same order */
  shown: (fields: Fields, seed: string) => object;
  /** The verdict of an answer. Kinds that a machine or a person grades have none. */
  grade?: (fields: Fields, answer: Answer, hasPartialCredit: boolean) => Verdict;
  /** What students see as the right answer, once they may see the solution. */
  right?: (fields: Fields) => object;
  /** What a trial grades. A right one must give all points, a wrong one none. */
  trialAnswers?: (fields: Fields) => TrialAnswer[];
};
