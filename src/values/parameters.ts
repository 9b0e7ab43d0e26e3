import { canStand, fillMarkdown, fillText, namesIn, type Values } from '../../packages/placeholders/placeholders.ts';
import { type CodedProblem, fieldProblem } from './coded-problem.ts';

export type { Values };

/** What a value is drawn from: the whole numbers from one to another, or texts. It has one of both. */
export type Parameter = { int?: readonly number[]; choice?: readonly string[] };
/** Those of a task, by their names. */
export type TaskParameters = Readonly<Record<string, Parameter>>;

const textFields = ['title', 'description', 'hint', 'solution'] as const;
export type TaskTexts = Partial<Record<(typeof textFields)[number], string | null>>;

/** The number of values that a parameter can have. */
export const sizeOf = ({ int: [from = 0, to = 0] = [], choice }: Parameter): number =>
  choice ? choice.length : to - from + 1;

/** @param index from 0, below its size */
export const valueAt = ({ int: [from = 0] = [], choice }: Parameter, index: number): string =>
  choice?.[index] ?? String(from + index);

export type WithParameters = TaskTexts & { parameters?: TaskParameters | null };

/** An example of the values. Undefined: the task has no parameters. */
export const firstValues = ({ parameters }: WithParameters): Values | undefined =>
  parameters
    ? Object.fromEntries(Object.entries(parameters).map(([name, parameter]) => [name, valueAt(parameter, 0)]))
    : undefined;

/**
 * What is wrong with the parameters of a task, or with a text that names them, and the field where it is wrong.
 * @param more texts of the task
 */
export function parameterProblems(
  task: WithParameters,
  more: readonly { field: string; text: string }[] = [],
): { field: string; problem: CodedProblem }[] {
  const { parameters } = task;
  if (!parameters) return [];
  const wrong = Object.entries(parameters).flatMap(([name, parameter]) => {
    if (!/^[a-z][a-z0-9_]{0,31}$/.test(name)) return fieldProblem('parameter_name', { name });
    return isRight(parameter) ? [] : fieldProblem('parameter_form', { name });
  });
  const texts = [...textFields.map((field) => ({ field, text: task[field] ?? '' })), ...more];
  const unknown = texts.flatMap(({ field, text }) => {
    const name = namesIn(text).find((one) => !Object.hasOwn(parameters, one));
    return name === undefined ? [] : [{ field, problem: fieldProblem('parameter_unknown', { name }) }];
  });
  return [...wrong.map((problem) => ({ field: 'parameters', problem })), ...unknown];
}

function isRight({ int, choice }: Parameter): boolean {
  if (choice) return !int && choice.length > 0 && new Set(choice).size === choice.length && choice.every(canStand);
  const [from, to] = int ?? [];
  return from !== undefined && to !== undefined && from <= to;
}

/** The texts of a task with its values. */
export function withValues<Task extends TaskTexts>(task: Task, values: Values): Task {
  const filled = textFields.flatMap((field) => {
    const text = task[field];
    return text ? [[field, field === 'title' ? fillText(text, values) : fillMarkdown(text, values)]] : [];
  });
  return { ...task, ...Object.fromEntries(filled) };
}

/**
 * A script that has the values in its environment, as `PARAM_` and the name in capitals. They are a part of the script, so they are in no
 * argument list, and they are before its first line, so its lines keep their numbers.
 */
export function scriptWith(values: Values | undefined, script: string): string {
  const set = Object.entries(values ?? {}).map(([name, value]) => `PARAM_${name.toUpperCase()}=${quoted(value)}`);
  return set.length === 0 ? script : `export ${set.join(' ')}; ${script}`;
}

/** The scripts that prepare a container, in their order. */
export const setupScripts = (
  own: string | null,
  tasks: readonly { setup_script: string | null; values?: Values }[],
): string[] =>
  [own, ...tasks.map(({ setup_script: script, values }) => script && scriptWith(values, script))].filter(
    (script) => script !== null,
  );

/** For Bash, in one line. */
const quoted = (value: string): string =>
  `$'${value.replace(/[\\']/g, '\\$&').replace(/\p{Cc}/gu, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`)}'`;
