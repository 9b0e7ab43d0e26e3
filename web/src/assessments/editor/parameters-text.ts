import type { AssessmentFields, TaskFields } from './assessment-calls.ts';

type Parameters = NonNullable<TaskFields['parameters']>;
type Parameter = Parameters[string];

/** One a line: `port: 20000..29999`, `user: anna | ben`, or as JSON what has such characters itself. */
export const parametersText = (parameters: Parameters | null | undefined): string =>
  Object.entries(parameters ?? {})
    .map(([name, parameter]) => `${name}: ${valuesText(parameter)}`)
    .join('\n');

function valuesText({ int, choice = [] }: Parameter): string {
  if (int) return int.join('..');
  const text = choice.join(' | ');
  return JSON.stringify(valuesOf(text).choice) === JSON.stringify(choice) ? text : JSON.stringify(choice);
}

function valuesOf(text: string): Parameter {
  const [, from, to] = /^\s*(-?\d+)\s*\.\.\s*(-?\d+)\s*$/.exec(text) ?? [];
  if (from !== undefined) return { int: [Number(from), Number(to)] };
  const list = /^\s*\[/.test(text) ? listOf(text) : undefined;
  const choice = list ?? text.split('|').map((one) => one.trim());
  return { choice: choice.filter((one) => one !== '') };
}

function listOf(text: string): string[] | undefined {
  try {
    const list = JSON.parse(text) as unknown[];
    return list.every((one) => typeof one === 'string') ? list : undefined;
  } catch {
    return undefined;
  }
}

/** What was typed. The service says what is wrong with it. */
export function parametersOf(text: string): Parameters | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const parameters = lines.map((line) => {
    const [name = '', ...values] = line.split(':');
    return [name.trim(), values.length === 0 ? {} : valuesOf(values.join(':'))] as const;
  });
  return lines.length === 0 ? null : Object.fromEntries(parameters);
}

/** Values as three attempts could draw them: the lowest, one in the middle and the highest. */
export function samplesOf(parameters: Parameters): Record<string, string>[] {
  const sample = (part: number): Record<string, string> =>
    Object.fromEntries(
      Object.entries(parameters).map(([name, { int: [from = 0, to = 0] = [], choice }]) => {
        const index = Math.floor(part * ((choice?.length ?? to - from + 1) - 1));
        return [name, choice ? (choice[index] ?? '') : `${from + index}`];
      }),
    );
  return [0, 0.5, 1].map(sample);
}

type Draw = NonNullable<AssessmentFields['draw']>;

/** How many tasks are drawn of each pool, one on a line: `files: 2`. */
export const drawText = (draw: Draw | null | undefined): string =>
  Object.entries(draw ?? {})
    .map(([pool, count]) => `${pool}: ${count}`)
    .join('\n');

export function drawOf(text: string): Draw | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const counts = lines.map((line) => {
    const [pool = '', count] = line.split(':');
    // What is no number is for the service to refuse.
    return [pool.trim(), count?.trim() ? Number(count) : 0] as const;
  });
  return lines.length === 0 ? null : Object.fromEntries(counts);
}
