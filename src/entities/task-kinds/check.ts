import type { TaskKind } from './kind.ts';

/** Bash that looks at the machine. Its fields are those that every task has: the script, how it gives the verdict, the solutions. */
export const check: TaskKind<Record<never, never>, Record<never, never>, Record<never, never>> = {
  ...{ fields: {}, inputs: {}, defaults: {}, staffFields: [] },
  takes: 'machine',
  isGradedByPeople: false,
  needsMachine: () => true,
  complete: (fields) => fields,
  problems: () => [],
  shown: (fields) => fields,
};
