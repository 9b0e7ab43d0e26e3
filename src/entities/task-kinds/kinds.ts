import { type Static, Type } from 'typebox';
import { fillExactly, fillMarkdown } from '../../../packages/placeholders/placeholders.ts';
import { InvalidError, type ValidationItem } from '../../errors.ts';
import { codedItem } from '../../values/coded-problem.ts';
import {
  firstValues,
  parameterProblems,
  type TaskTexts,
  type Values,
  type WithParameters,
  withValues,
} from '../../values/parameters.ts';
import type { Variant } from '../../values/variant.ts';
import { omit, optional } from '../fields.ts';
import { answer } from './answer.ts';
import { check } from './check.ts';
import { choice } from './choice.ts';
import { essay } from './essay.ts';
import { file } from './file.ts';
import type { FieldProblem, TaskKind } from './kind.ts';

/** The kinds of tasks. A released name never changes: it is in the database and in content files. */
export const taskKinds = { check, choice, answer, file, essay };
export type TaskKindName = keyof typeof taskKinds;
const names = Object.keys(taskKinds) as TaskKindName[];

export const TaskKindSchema = Type.Unsafe<TaskKindName>({
  ...{ type: 'string', enum: names },
  description:
    'How it is solved and graded: `check` (default) by a script in the machine, `choice` by choosing, `answer` by a short text or a number, `file` by a file and `essay` by a text. The last two are graded by people.',
});

const fields = { ...choice.fields, ...answer.fields, ...file.fields };
const inputs = { ...choice.inputs, ...answer.inputs, ...file.inputs };
export const kindFieldNames = Object.keys(fields) as (keyof typeof fields)[];
export type KindField = (typeof kindFieldNames)[number];
/** The fields of all kinds. A task has those of its own. */
export const kindFields = optional(fields, kindFieldNames);
export const kindInputs = optional(inputs, kindFieldNames);
/** As administrators send them. */
export type KindInputs = Static<ReturnType<typeof Type.Object<typeof kindInputs>>>;
export const staffKindFields = Object.values(taskKinds).flatMap(({ staffFields }) => staffFields) as (
  | 'accepted'
  | 'tolerance'
)[];

/** A kind whose fields nobody looks into. */
type AnyKind = TaskKind<Record<string, unknown>>;
export const kindOf = ({ kind }: { kind: TaskKindName }): AnyKind => taskKinds[kind] as unknown as AnyKind;

type Fields = Record<string, unknown>;
type OfKind = { kind: TaskKindName };
/** A task as its row has it. */
type Stored = OfKind & { kind_fields: Fields };

/** The fields of its kind that a task has. */
export const ownFields = (task: OfKind): Fields =>
  Object.fromEntries(
    Object.keys(kindOf(task).fields).flatMap((name) => {
      const value = (task as Fields)[name] ?? kindOf(task).defaults[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** Fields of other kinds that a task gives. */
export const foreignFields = (task: OfKind): string[] =>
  kindFieldNames.filter((name) => name in task && !(name in kindOf(task).fields));

/** A row as answers, revisions and files have the task. */
export function withKindFields<Row extends { kind_fields: Fields }>(row: Row) {
  const { kind_fields, ...columns } = row;
  return { ...columns, ...(kind_fields as Static<ReturnType<typeof Type.Object<typeof kindFields>>>) };
}

/**
 * What is written of a new task, or of a change: the fields of the kind in their column. Those of another kind are ignored.
 * @param before the row that changes @returns the task as well, for `checkTask`
 */
export function toRow<Change extends { kind?: TaskKindName | undefined; verification_script?: string | undefined }>(
  change: Change,
  before?: Stored & { verification_script: string },
): { row: Omit<Change, KindField>; task: OfKind & { verification_script: string } } {
  const kind = change.kind ?? before?.kind ?? 'check';
  const { verification_script = before?.verification_script ?? '' } = change;
  const given = { ...before?.kind_fields, ...change, kind };
  const kind_fields = kindOf({ kind }).complete(ownFields(given));
  return {
    row: { ...omit(change as Change & Partial<Fields>, kindFieldNames as never[]), kind_fields } as never,
    task: { ...before, ...(given as object), kind, verification_script },
  };
}

/** What no schema can say of a task. */
export function problemsOfTask(task: OfKind & WithParameters & { verification_script: string }): FieldProblem[] {
  if (task.kind === 'check' && task.verification_script === '')
    return [{ field: 'verification_script', problem: undefined }];
  const wrong = parameterProblems(task, textsOfKind(task));
  if (wrong.length > 0) return wrong;
  const sample = filledTask(task, firstValues(task));
  return kindOf(sample).problems(kindOf(sample).complete(ownFields(sample)));
}

/** A task with the values that its attempt has drawn. Undefined: it has no parameters. */
export function filledTask<Task extends OfKind & TaskTexts>(task: Task, values: Values | undefined) {
  if (!values) return task;
  const fill = {
    exactly: (text: string) => fillExactly(text, values),
    markdown: (text: string) => fillMarkdown(text, values),
  };
  return { ...withValues(task, values), ...kindOf(task).filled?.(ownFields(task), fill), values };
}

/** The texts in the fields of its kind that can name parameters, by their fields. */
function textsOfKind(task: OfKind): { field: string; text: string }[] {
  const { filled } = kindOf(task);
  return Object.entries(ownFields(task)).flatMap(([field, value]) => {
    const texts: string[] = [];
    const note = (text: string): string => `${texts.push(text)}`;
    const fill = { exactly: note, markdown: note };
    filled?.({ ...kindOf(task).defaults, [field]: value }, fill);
    return texts.map((text) => ({ field, text }));
  });
}

/** The tasks of an attempt as its student gets them, with the values for their scripts. */
export const variedTasks = <Task extends OfKind & TaskTexts & { id: number }>(
  tasks: readonly Task[],
  variant: Variant | null,
): (Task & { values?: Values })[] =>
  tasks
    .filter(({ id }) => variant?.task_ids?.includes(id) ?? true)
    .map((task) => filledTask(task, variant?.values[task.id]));

/** Whether students send something for a task. */
export const takesAnswer = (task: OfKind): boolean => kindOf(task).takes !== 'machine';

/** Whether one of the tasks needs a machine. Without tasks it is there to look around. */
export const needMachine = (tasks: readonly OfKind[]): boolean =>
  tasks.length === 0 || tasks.some((task) => kindOf(task).needsMachine(ownFields(task)));

/** A task as it would be saved. */
export const completed = <Given extends OfKind & { verification_script: string } & KindInputs>(task: Given) =>
  withKindFields(toRow(task).row as Omit<Given, KindField> & { kind_fields: Fields });

/** @throws InvalidError */
export function checkTask(task: OfKind & { verification_script: string }): void {
  const problems = problemsOfTask(task);
  if (problems.length > 0) throw new InvalidError(problems.map(itemOf));
}

const itemOf = ({ field, problem }: FieldProblem): ValidationItem =>
  problem === undefined
    ? { loc: ['body', field], msg: 'Field required', type: 'missing' }
    : codedItem(['body', field], problem);

/**
 * The fields of its kind as a student sees them: without what tells the right answer.
 * @param seed of an attempt, which orders what has no order
 */
export function shownToStudent<Task extends OfKind & { id: number }>(task: Task, seed = ''): Omit<Task, never> {
  const { staffFields, shown } = kindOf(task);
  return omit(
    { ...task, ...shown(ownFields(task), `${seed} ${task.id}`) },
    staffFields as readonly string[] as never[],
  );
}
