import type { TaskKind } from './kind.ts';

/** A text in Markdown that a person grades. */
export const essay: TaskKind<Record<never, never>, Record<never, never>, Record<never, never>> = {
  ...{ fields: {}, inputs: {}, defaults: {}, staffFields: [] },
  takes: 'text',
  isGradedByPeople: true,
  needsMachine: () => false,
  complete: (fields) => fields,
  problems: () => [],
  shown: (fields) => fields,
};
